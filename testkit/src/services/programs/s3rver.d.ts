declare module '@20minutes/s3rver' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  /** An S3 server over a folder. Its only account has the key S3RVER and the secret S3RVER. */
  export default class S3rver {
    constructor(options: { silent?: boolean; directory: string; configureBuckets?: readonly { name: string }[] });
    configureBuckets(): Promise<void>;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
  }
}
