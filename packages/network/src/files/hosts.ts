/** The hosts from which the files of a network are fetched. */
export interface FileHosts {
  /** Where the files of messages are: a host, with its port where that is not 443. */
  readonly host: string
  /** Whether the client library may fetch from an origin such as `https://host`. */
  serves(origin: string): boolean
  /** Private ranges in which these hosts may be. */
  readonly privateRanges: readonly string[]
}

const origins = /^https:\/\/(?:mmg|media(?:-[a-z0-9]{1,20}){1,4}\.cdn)\.whatsapp\.net$/

/** The file hosts of the real network. */
export const networkFileHosts: FileHosts = {
  host: 'mmg.whatsapp.net',
  serves: (origin) => origins.test(origin),
  privateRanges: [],
}

/** Returns the one file host of a test network, `localhost` with a port. */
export function testFileHosts(host: string): FileHosts {
  return { host, serves: (origin) => origin === `https://${host}`, privateRanges: ['127.0.0.1/32'] }
}
