// Compiles small programs against the installed packages as users of older setups do, and runs the CommonJS one.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { refusal, root, runQuietly } from '../scripts/process.mjs'

const program = `
import { type InputOf, isMessagingError, type Message } from '@msgctl/client'
import { MessagingClient, MessagingError, type WebhookEvent } from '@msgctl/client'
import { AdminClient } from '@msgctl/client/admin'
import { AssistantsClient } from '@msgctl/client/assistants'
import { fakeService } from '@msgctl/client/testing'
import { type EventHandlers, WebhookVerificationError } from '@msgctl/webhook-verifier'
import { createListener, verifyRequest } from '@msgctl/webhook-verifier/node'

const input: InputOf<'alert.send'> = { phone: '+12025550100', message: 'hi' }
const handlers: EventHandlers = { 'message.read': (event) => event.data.messageId }
const show = (message: Message, event: WebhookEvent<'message.read'>): string => message.id + event.data.messageId
export { AdminClient, AssistantsClient, createListener, handlers, show, verifyRequest, WebhookVerificationError }

export async function main(): Promise<void> {
  const fake = fakeService()
  fake.answer('alert.send', { messageId: 'm', status: 'queued', priority: 'normal', containerId: 'c' })
  const client: MessagingClient = fake.client()
  const { messageId } = await client.alert.send(input)
  fake.failOnce('otp.verify', 'OTP_INVALID_CODE', { attemptsRemaining: 2 })
  const error: unknown = await client.otp.verify({ requestId: 'r', code: '123456' }).catch((thrown: unknown) => thrown)
  const left = client.otp.verify.isError(error) && error.code === 'OTP_INVALID_CODE'
    ? error.details.attemptsRemaining
    : 0
  console.log(messageId, left, error instanceof MessagingError, isMessagingError(error, 'OTP_INVALID_CODE'))
}
main()
`

/** Ways to pass the global fetch. The types of a browser and those of Node.js disagree about what a body is. */
const fetches = `
import { MessagingClient, type Transport } from '@msgctl/client'
export const own = new MessagingClient({ fetch })
export const wrapped = new MessagingClient({ fetch: (url, init) => fetch(url, init) })
export const changed = new MessagingClient({ fetch: (url, init) => fetch(new URL(url), { ...init, keepalive: true }) })
const transport: Transport = async (url, request) => fetch(new URL(url), request)
export const typed = new MessagingClient({ fetch: transport })
`

/** The compilers that users have: an older one, the one that the packages are made with, and the newest. */
const compilers = {
  'TypeScript 5.6': path.join(root, 'tools/release/node_modules/typescript-5.6/bin/tsc'),
  'TypeScript 5.9': path.join(root, 'tools/release/node_modules/typescript/bin/tsc'),
  'the newest TypeScript': path.join(root, 'node_modules/typescript/bin/tsc'),
}
const libraries = { 'with DOM': ['es2023', 'dom'], 'without DOM': ['es2023'] }

/**
 * Compiles the ways to pass `fetch` with every compiler, with and without the types of a browser.
 *
 * @param {string} folder
 */
async function tryFetches(folder) {
  for (const [compiler, tsc] of Object.entries(compilers)) {
    for (const [library, lib] of Object.entries(libraries)) {
      const project = path.join(folder, `${compiler} ${library}`)
      mkdirSync(project)
      writeFileSync(path.join(project, 'package.json'), JSON.stringify({ type: 'module' }))
      writeFileSync(path.join(project, 'main.ts'), fetches)
      const compilerOptions = {
        ...common,
        lib,
        target: 'es2022',
        module: 'nodenext',
        noEmit: true,
        skipLibCheck: false,
      }
      writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['main.ts'] }))
      await runQuietly(`Compiling with ${compiler} ${library}`, process.execPath, [tsc, '-p', project], project)
    }
  }
  return `fetch with ${Object.keys(compilers).join(', ')}, each ${Object.keys(libraries).join(' and ')}`
}

const common = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  strict: true,
  exactOptionalPropertyTypes: true,
  types: ['node'],
}
/** @type {Record<string, { compilerOptions: object, type: string, runs?: boolean }>} */
const projects = {
  esm: { compilerOptions: { ...common, module: 'nodenext' }, type: 'module' },
  commonjs: { compilerOptions: { ...common, module: 'node16' }, type: 'commonjs' },
  node10: { compilerOptions: { ...common, module: 'commonjs', moduleResolution: 'node10' }, type: 'commonjs' },
  bundler: {
    compilerOptions: { ...common, module: 'esnext', moduleResolution: 'bundler' },
    type: 'module',
    runs: false,
  },
}

/**
 * Installs the tarballs of the client and the verifier alone, and compiles and runs the program in each setup.
 *
 * @param {string} folder
 * @param {string[]} tarballs
 */
export async function tryTypes(folder, tarballs) {
  mkdirSync(folder, { recursive: true })
  const own = tarballs.filter((tarball) => /(client|webhook-verifier)-\d/.test(tarball))
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'types', private: true }))
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund']
  await runQuietly('Installing', 'npm', ['install', ...quiet, ...own, '@types/node@20'], folder)
  const installed = readdirSync(path.join(folder, 'node_modules/@msgctl'))
  if (installed.length !== own.length) throw refusal(`The packages install ${installed.join(', ')} as well.`)
  const tsc = path.join(root, 'tools/release/node_modules/typescript/bin/tsc')
  for (const [name, { compilerOptions, type, runs = true }] of Object.entries(projects)) {
    const project = path.join(folder, name)
    mkdirSync(project)
    writeFileSync(path.join(project, 'package.json'), JSON.stringify({ type }))
    writeFileSync(path.join(project, 'main.ts'), program)
    writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['main.ts'] }))
    await runQuietly(`Compiling as ${name}`, process.execPath, [tsc, '-p', project], project)
    if (runs) await runQuietly(`Running as ${name}`, process.execPath, ['main.js'], project)
  }
  return [...Object.keys(projects), await tryFetches(folder)]
}
