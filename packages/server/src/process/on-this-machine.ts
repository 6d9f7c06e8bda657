/** The address by which programs of this machine reach a service that may listen on every address. */
export function onThisMachine(address: string): string {
  return address.replace(/^http:\/\/(?:0\.0\.0\.0|\[?::\]?)(?=:\d+$)/, 'http://127.0.0.1')
}
