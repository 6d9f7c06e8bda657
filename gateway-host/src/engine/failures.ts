/** Thrown when the network refused a call. */
export class Refused extends Error {
  override readonly name = 'Refused'
  /** The code of the network, e.g. 463 for new conversations. */
  readonly code: number

  constructor(code: number) {
    super(`the network refused the call with ${code}`)
    this.code = code
  }
}

/** Thrown when the connection ended before the network responded. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'

  constructor() {
    super('the connection ended before the network responded')
  }
}

/** Thrown when the network did not respond in time. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'

  constructor() {
    super('the network did not respond in time')
  }
}

/** Ends a connection on which no device was linked in time. */
export class LinkExpired extends Error {
  override readonly name = 'LinkExpired'
  /** In the form of the library's failures: the code with which its QRs end, too. */
  readonly output = { statusCode: 408 }

  constructor() {
    super('no device was linked in time')
  }
}

/** Ends a connection whose account can be linked by a passkey only. */
export class PasskeyDemanded extends Error {
  override readonly name = 'PasskeyDemanded'

  constructor() {
    super('the network demands a passkey')
  }
}
