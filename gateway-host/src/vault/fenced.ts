/** Thrown when another process owns a number now. Nothing may leave for the number from this process any more. */
export class Fenced extends Error {
  override readonly name = 'Fenced'

  constructor() {
    super('another process owns the number')
  }
}
