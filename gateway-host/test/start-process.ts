import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { remoteNetwork } from './network/remote.ts'
import type { Profile } from './network/rules/rules.ts'

const compiled = path.resolve(import.meta.dirname, '../dist')

/** A compiled program of this package that runs. */
export interface StartedProcess {
  readonly child: ChildProcess
  /** The first line that it wrote. */
  readonly started: Record<string, string>
  /** Everything that it wrote, to either stream. */
  readonly output: string[]
  /** Ends it with a signal (default: SIGTERM) and waits for its end. */
  end(signal?: NodeJS.Signals): Promise<void>
}

/** Starts a compiled program and waits for its first line, which is JSON. Throws an Error when it ends before. */
async function startProcess(file: string, env: Record<string, string | undefined>): Promise<StartedProcess> {
  const child = spawn(process.execPath, [path.join(compiled, file)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  child.stderr.on('data', (part: Buffer) => output.push(part.toString()))
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => output.push(line))
  const first = await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => null)])
  if (!first) throw new Error(`${file} ended: ${output.join('\n')}`)
  return {
    child,
    started: JSON.parse(String(first[0])) as Record<string, string>,
    output,
    async end(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      await once(child, 'exit')
    },
  }
}

/** Starts a test network as a process of its own. `speed` 0.1 makes its people ten times as fast. */
export async function startNetwork(options: { speed?: number; addressing?: 'lid' | 'phone'; profile?: Profile } = {}) {
  const { speed = 0.1, addressing = 'lid', profile = '2026-09' } = options
  const { started, end, output } = await startProcess('test/network/main.js', {
    TEST_NETWORK_SPEED: String(speed),
    TEST_NETWORK_ADDRESSING: addressing,
    TEST_NETWORK_RULES: profile,
  })
  const { url = '', controlUrl = '', root = '', files = '', certificate = '' } = started
  return { url, root, files, certificate, output, end, network: remoteNetwork(controlUrl) }
}

/** What a host of a test is started with. */
export interface TestHostOptions {
  readonly databaseUrl: string
  readonly secretsKeys: string
  readonly network: Readonly<Record<'url' | 'root' | 'certificate', string> & { files?: string }>
  readonly env?: Record<string, string>
}

/** Starts a gateway host as a process of its own. */
export async function startHost({ databaseUrl, secretsKeys, network, env }: TestHostOptions): Promise<StartedProcess> {
  return startProcess('src/main.js', {
    DATABASE_URL: databaseUrl,
    SECRETS_KEYS: secretsKeys,
    GATEWAY_METRICS_LISTEN: '127.0.0.1:0',
    GATEWAY_NETWORK_URL: network.url,
    GATEWAY_NETWORK_ROOT: network.root,
    ...(network.files === undefined ? {} : { GATEWAY_NETWORK_FILES: network.files }),
    NODE_EXTRA_CA_CERTS: network.certificate,
    ...env,
  })
}
