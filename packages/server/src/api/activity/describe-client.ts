const browsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bVersion\/\S{1,30} (?:Mobile\/\S{1,30} )?Safari\//],
]
const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]
const product = /^([A-Za-z][A-Za-z0-9._-]{0,39}\/[0-9][A-Za-z0-9.+-]{0,29})(?:\s|$)/
/** Headers are longer only to slow the patterns down. */
const longestRead = 400

/**
 * Returns the program and the system that a User-Agent header names, like `Firefox on Linux` or `msgctl/0.1.0`, else
 * null.
 */
export function describeClient(userAgent: string): string | null {
  const read = userAgent.slice(0, longestRead)
  const nameIn = (list: typeof browsers) => list.find(([, pattern]) => pattern.test(read))?.[0]
  const system = nameIn(systems)
  const program = nameIn(browsers) ?? (read.startsWith('Mozilla/') ? undefined : product.exec(read)?.[1])
  if (program !== undefined && system !== undefined) return `${program} on ${system}`
  return program ?? system ?? null
}
