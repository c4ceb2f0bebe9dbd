const NAMES: Readonly<Record<number, string>> = {
  404: 'Not Found',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** An error answer in the form of Core 3.x. */
export class ApiError extends Error {
  constructor(
    readonly statusCode: number,
    message = NAMES[statusCode] ?? 'Error',
  ) {
    super(message);
    this.name = 'ApiError';
  }

  get body(): { statusCode: number; error: string; message: string } {
    return { statusCode: this.statusCode, error: NAMES[this.statusCode] ?? 'Error', message: this.message };
  }
}

export const notFound = (message?: string): ApiError => new ApiError(404, message);

export const unprocessable = (message: string): ApiError => new ApiError(422, message);
