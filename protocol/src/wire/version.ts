/**
 * The protocol's version. Raise it once for each release that changes a schema; protocol.golden.test.ts reminds of it.
 */
export const protocolVersion = 8;
