# One image for every program: the command names it (api, indexer, devnet, migrate, digest, reset).
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY . .
# The optional packages are the embedded PostgreSQL and speed-ups; nothing in the image needs them.
RUN npm ci --omit=optional --ignore-scripts
RUN node node_modules/typescript/bin/tsc -b apps/api apps/indexer apps/devnet
RUN npm prune --omit=dev --omit=optional --ignore-scripts \
  && find apps libs -type d -name src -prune -exec rm -rf {} +

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/apps apps
COPY --from=build /app/libs libs
COPY tools/docker/entrypoint.sh tools/docker/entrypoint.sh
USER node
VOLUME /data
EXPOSE 4003
ENTRYPOINT ["/bin/sh", "/app/tools/docker/entrypoint.sh"]
CMD ["api"]
