/** Why a command of the platform's operator is not carried out; the message is a sentence that says what to do. */
export class Refusal extends Error {
  /** 1: what was asked for is not possible. 2: what was typed cannot be understood. */
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message)
    this.name = 'Refusal'
    this.exitCode = exitCode
  }
}
