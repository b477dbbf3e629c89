/** What a command of the operator can't do, as one sentence that says why and what to do next. */
export class OperatorFailure extends Error {}
