# One image for all programs. The command selects one: api, indexer, migrate, devnet, or another command of the indexer.

# Only the manifests of the packages: while they are unchanged, the installed packages come from the cache.
FROM node:24-bookworm-slim AS manifests
WORKDIR /app
COPY . /tree
RUN cd /tree && find . -name package.json -o -name package-lock.json | xargs cp --parents -t /app

# What the programs need at run time. The optional packages, the embedded PostgreSQL and speed-ups, are not needed here.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY --from=manifests /app ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && find node_modules -name '*.map' -delete -o -name '*.d.ts' -delete -o -name '*.d.mts' -delete -o -name '*.d.cts' -delete

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY --from=manifests /app ./
RUN npm ci --omit=optional --ignore-scripts --no-audit --no-fund
COPY . .
# CI checks the types, not this build.
RUN node node_modules/typescript/bin/tsc -b --noCheck apps/api apps/indexer apps/devnet
# /out: each built package without its sources.
RUN for package in $(find apps libs -maxdepth 2 -name dist -printf '%h '); do \
      mkdir -p "/out/$package" && cp -r "$package/package.json" "$package/dist" "/out/$package/"; \
      for data in presets assets; do [ ! -d "$package/$data" ] || cp -r "$package/$data" "/out/$package/"; done; \
    done \
  && find /out -name '*.d.ts' -delete -o -name '.tsbuildinfo' -delete -o -name '*.harness.js*' -delete \
  && cp --parents package.json tools/docker/* /out

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /out ./
USER node
EXPOSE 4003
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --retries=3 CMD ["node", "/app/tools/docker/healthcheck.mjs"]
ENTRYPOINT ["/bin/sh", "/app/tools/docker/entrypoint.sh"]
CMD ["api"]
