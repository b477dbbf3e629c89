import { systemCode } from '../system/ports.ts';

/** What a command of the operator can't do, as one sentence that says why and what to do next. */
export class OperatorFailure extends Error {}

/** Whether a disk is full, or the share of it that this user may have. */
export const isNoRoom = (error: unknown): boolean => ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(systemCode(error));
