/** What the settings of the service that concern gateway hosts mean. */
export const gatewayHostSettings = {
  GATEWAY_HOST_PROGRAM: {
    group: 'Chat networks',
    meaning:
      'The compiled gateway host that runs beside a service with its own embedded database. `npm start` sets ' +
      'it for `GATEWAY=direct`.',
    values: 'the path of a compiled program',
    unset: 'none',
  },
  GATEWAY_WEB_VERSION_URL: {
    group: 'Chat networks',
    meaning:
      'The file that names the present version of the network’s own client. A worker fetches it each day while a ' +
      'gateway host uses the stored version (docs/run/own-sockets.md).',
    values: 'an address, for tests',
  },
} as const
