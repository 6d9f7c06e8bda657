/** A package of a lockfile that brings a program for each of several systems, and the systems that it lacks. */
interface Family {
  readonly name: string
  readonly missing: readonly string[]
}

/** The systems on which the checks run: os, cpu, and the C library of Linux. */
const systems = ['linux', 'darwin', 'win32'].flatMap((os) => {
  const cpus = os === 'win32' ? ['x64'] : ['x64', 'arm64']
  return cpus.flatMap((cpu) => (os === 'linux' ? [`${os} ${cpu} glibc`, `${os} ${cpu} musl`] : [`${os} ${cpu}`]))
})

/** It watches files on macOS, and does nothing on other systems. */
const ofOneSystem = new Set(['fsevents'])

const item = /^ {2}(\S+):\n((?: {4}.*\n)*)/gm

/** The blocks of one part of a lockfile by the name of their package. */
function blocks(part: string): Map<string, string> {
  return new Map([...part.matchAll(item)].map(([, name = '', text = '']) => [name.replaceAll("'", ''), text]))
}

/** Which of the values of a field a package is for; a package that does not say is for all. */
function accepts(block: string, field: string, value: string | undefined): boolean {
  const [, values] = new RegExp(`^ {4}${field}: \\[(.*)\\]`, 'm').exec(block) ?? []
  return value === undefined || values === undefined || values.split(', ').includes(value)
}

/** Every package of a lockfile of pnpm that has a program for each system as an optional package. */
export function families(lockfile: string): Family[] {
  const [, packagesPart = '', snapshotsPart = ''] = lockfile.split(/^(?:packages|snapshots):\n/m)
  const packages = blocks(packagesPart)
  return [...blocks(snapshotsPart)].flatMap(([name, block]) => {
    const [, optional = ''] = /^ {4}optionalDependencies:\n((?: {6}.*\n)*)/m.exec(block) ?? []
    const programs = [...optional.matchAll(/^ {6}(\S+): (\S+)/gm)]
      .map(([, each = '', version = '']) => [each.replaceAll("'", ''), version])
      .filter(([each = '']) => !ofOneSystem.has(each))
      .map((parts) => packages.get(parts.join('@')) ?? '')
      .filter((text) => /^ {4}(?:os|cpu): /m.test(text))
    if (programs.length === 0) return []
    const missing = systems.filter((system) => {
      const [os, cpu, libc] = system.split(' ')
      return !programs.some(
        (text) => accepts(text, 'os', os) && accepts(text, 'cpu', cpu) && accepts(text, 'libc', libc),
      )
    })
    return [{ name, missing }]
  })
}
