import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
// @ts-expect-error: a script, whose types this project does not read.
import { bundle } from '../../scripts/bundle.mjs'
import { scriptedServer } from './scripted-server.ts'

// Each test starts processes, and a busy machine takes seconds for that.
vi.setConfig({ testTimeout: 30_000 })

const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-cli-bundle-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const inputs: string[] = await bundle(folder)
const main = path.join(folder, 'main.cjs')
const env = { ...process.env, XDG_CONFIG_HOME: folder, MSG_API_KEY: 'msk_test_key' }

const hasZsh = spawnSync('zsh', ['-c', 'exit 0']).error === undefined

function msgctl(...argv: string[]) {
  return spawnSync(process.execPath, [main, ...argv], { env, cwd: folder, encoding: 'utf8', timeout: 60_000 })
}

describe('the bundle', () => {
  it('contains the client and its endpoint table, but neither zod nor the contract’s schemas', () => {
    expect(inputs.some((input) => input.endsWith('contract/src/generated/endpoints.ts'))).toBe(true)
    expect(inputs.filter((input) => /\/zod\/|contract\/src\/(index|contract|fields)\.ts/.test(input))).toEqual([])
  })

  it('comes with the licences of the libraries in it', () => {
    const licenses = readFileSync(path.join(folder, 'third-party-licenses.txt'), 'utf8')
    const names = ['commander', 'csv-parse', 'cli-table3', 'qrcode', '@clack/prompts']
    for (const name of names) expect(licenses).toMatch(new RegExp(`^${name} \\d.* \\(MIT\\)$`, 'm'))
    expect(licenses.match(/permission is hereby granted/gi)?.length).toBeGreaterThanOrEqual(names.length)
    expect(licenses).not.toContain(import.meta.dirname)
  })

  it('handles help, version and unknown commands like the sources', () => {
    expect(msgctl('--help')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Usage: msgctl/) })
    expect(msgctl('--version').status).toBe(0)
    expect(msgctl('nubmers')).toMatchObject({ status: 2, stdout: '' })
  })
})

describe('the process', () => {
  it('ends with 130 on Ctrl-C, also while it follows events', async () => {
    const { origin } = await scriptedServer({ 'GET /api/v1/events/stream': () => ({ events: [': hello\n\n'] }) })
    const child = spawn(process.execPath, [main, 'tail', 'events'], {
      env: { ...env, MSG_BASE_URL: `${origin}/api/v1` },
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let stderr = ''
    for await (const chunk of child.stderr) {
      stderr += chunk
      if (stderr.endsWith('to stop.\n')) child.kill('SIGINT')
    }
    const [exitCode] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
    expect(exitCode).toBe(130)
    expect(stderr).toMatch(/\nInterrupted\.\n$/)
  })

  it('ends silently when its reader closes the pipe, like head', async () => {
    const row = { id: 'x'.repeat(1000), status: 'read' }
    const messages = Array.from({ length: 2000 }, (_, index) => ({ ...row, id: `${index}${row.id}` }))
    const { origin } = await scriptedServer({
      'GET /api/v1/messages': () => ({ body: { messages, nextCursor: null } }),
    })
    const argv = [main, 'messages', 'list', '--all', '--output', 'ndjson']
    const child = spawn(process.execPath, argv, { env: { ...env, MSG_BASE_URL: `${origin}/api/v1` }, cwd: folder })
    child.stdout.once('data', () => child.stdout.destroy())
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    const [exitCode] = await once(child, 'close')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  })

  it('keeps its exit code when stderr is closed', async () => {
    const child = spawn(process.execPath, [main, 'nubmers'], { env, cwd: folder })
    child.stderr.destroy()
    expect(await once(child, 'exit')).toEqual([2, null])
  })

  it.each(['bash', 'zsh', 'fish'])('prints a completion script that %s can read', (shell) => {
    const found = spawnSync(shell, ['-c', 'exit 0'])
    const script = msgctl('completion', shell)
    expect(script.stdout).toContain('msgctl __complete')
    // Without the shell, the script cannot be checked.
    if (found.error === undefined) expect(spawnSync(shell, ['-n'], { input: script.stdout }).status).toBe(0)
  })

  it('calls itself in zsh where it is the file of its function', () => {
    expect(msgctl('completion', 'zsh').stdout).toMatch(/^if .*funcstack\[1\].* == _msgctl \]\]; then _msgctl "\$@"/m)
  })

  it.runIf(hasZsh)('completes words in zsh at the first Tab, from a file of fpath or sourced', () => {
    const begin = `
      msgctl() { "${process.execPath}" "${main}" "$@"; }
      compdef() {}
      _describe() { print -l -- \${found%%:*} }
      words=(msgctl numbers re); CURRENT=3`
    const file = 'msgctl completion zsh > _msgctl; fpath=("$PWD"); autoload -Uz _msgctl; _msgctl'
    for (const use of [file, 'source <(msgctl completion zsh); _msgctl']) {
      const { stdout } = spawnSync('zsh', ['-f', '-c', `${begin}\n${use}`], { env, cwd: folder, encoding: 'utf8' })
      expect(stdout.trim().split('\n'), use).toEqual(['remove', 'rename', 'reconnect', 'release'])
    }
  })

  it('completes words in bash through its script', () => {
    const script = `
      msgctl() { "${process.execPath}" "${main}" "$@"; }
      source <(msgctl completion bash)
      COMP_WORDS=(msgctl numbers re); COMP_CWORD=2; _msgctl
      printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout } = spawnSync('bash', ['-c', script], { env, cwd: folder, encoding: 'utf8' })
    expect(stdout.trim().split('\n')).toEqual(['remove', 'rename', 'reconnect', 'release'])
  })
})
