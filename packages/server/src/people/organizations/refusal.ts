/** Thrown when an operator's command cannot be carried out. The message says why and what to do. */
export class Refusal extends Error {
  /** 1: the change is not possible. 2: an argument is wrong. */
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message)
    this.name = 'Refusal'
    this.exitCode = exitCode
  }
}
