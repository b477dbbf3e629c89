/**
 * The protocol's version. Raise it with every change of a schema; protocol.golden.test.ts makes forgetting impossible.
 */
export const protocolVersion = 7;
