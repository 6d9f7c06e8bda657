// The protocol's conformance suite against /mcp and against the authorization server.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../../scripts/process.mjs'
import { call, makePerson } from './service.mjs'

/** @import { Row, Run } from './programs.mjs' */

/** @typedef {{ id: string, status: string }} Check */

const scenarios = {
  '2026-07-28': ['tools-list', 'http-header-validation', 'dns-rebinding-protection', 'server-stateless', 'caching'],
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
}
/** Checks of the suite's own fixed tools, and of prompts and resources, which this service does not have. */
const expected = JSON.parse(readFileSync(path.join(root, 'tools/proofs/judges/expected-failures.json'), 'utf8'))

/**
 * Returns the checks in the output of the suite: lists in JSON between lines of text.
 *
 * @param {string} output
 * @returns {Check[]}
 */
function checksIn(output) {
  return [...output.matchAll(/^\[\n[\s\S]*?^\]/gm)].flatMap(([list]) => JSON.parse(list))
}

/**
 * Returns a row of the table: how many checks passed, which failed, and whether those were expected.
 *
 * @param {string} judge
 * @param {string} output
 * @param {string[]} [allowed]
 * @returns {Row}
 */
function rowOf(judge, output, allowed = []) {
  const checks = checksIn(output)
  const failed = checks.flatMap(({ id, status }) => (status === 'FAILURE' ? [id] : []))
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length
  const isRight = passed > 0 && failed.every((id) => allowed.includes(id))
  return { judge, result: `${passed}/${passed + failed.length}`, failed, isRight, output }
}

/**
 * Runs the scenarios of the suite for a server. Returns a row for each.
 *
 * @param {Run} run
 * @param {string} url
 */
export async function judgeServer(run, url) {
  const rows = []
  for (const [revision, names] of Object.entries(scenarios)) {
    for (const name of names) {
      const args = ['server', '--url', url, '--scenario', name, '--spec-version', revision, '--force', '--verbose']
      const { output } = await run('conformance', args)
      rows.push(rowOf(`conformance ${revision} ${name}`, output, expected[`${revision} ${name}`]))
    }
  }
  return rows
}

/**
 * Runs all that a revision requires of a server against the suite's own tools. Returns a row: scenarios without a
 * failure.
 *
 * @param {Run} run
 * @param {string} url
 * @param {string} revision
 * @returns {Promise<Row>}
 */
export async function judgeRequired(run, url, revision) {
  const { output } = await run('conformance', ['server', '--url', url, '--requirements', revision])
  const [summary = '', others = ''] = output.split('=== SUMMARY ===')[1]?.split('Not scored for') ?? []
  const unscored = new Set([...others.matchAll(/^ {2}\S (\S+) /gm)].map(([, name = '']) => name))
  const scored = [...summary.matchAll(/^\S (\S+): (\d+) passed, (\d+) failed/gm)].filter(
    ([, name = '']) => !unscored.has(name),
  )
  const failed = scored
    .filter(([, , passed, failures]) => passed === '0' || failures !== '0')
    .map(([, name = '']) => name)
  const result = `${scored.length - failed.length}/${scored.length}`
  const isRight = scored.length > 0 && failed.length === 0
  return { judge: `conformance ${revision}, all that is required, with its tools`, result, failed, isRight, output }
}

/** A port for the callback of the suite, which takes no free one by itself. */
const callbackPort = 38_217

/**
 * Runs the scenarios for an authorization server: its metadata, and the grant of a code, for which a person consents.
 *
 * @param {Run} run
 * @param {string} address
 * @returns {Promise<Row[]>}
 */
export async function judgeAuthorization(run, address) {
  const { token } = await makePerson(address)
  const redirect = `http://127.0.0.1:${callbackPort}/callback`
  const registration = { client_name: 'Suite', redirect_uris: [redirect, redirect.replace('127.0.0.1', 'localhost')] }
  const registered = await call(address, 'POST /oauth/register', { body: registration })
  const { client_id: clientId } = /** @type {{ client_id: string }} */ (registered)
  /** @type {{ done?: Promise<void> }} */
  const consenting = {}
  const { output } = await run(
    'conformance',
    [
      ...['authorization', '--url', address, '--client-id', clientId, '--port', String(callbackPort)],
      ...['--resource', `${address}/api/v1/mcp`, '--verbose'],
    ],
    (text) => {
      const url = /^http\S+\/oauth\/authorize\?\S+(?=\n)/m.exec(text)?.[0]
      if (url) consenting.done ??= consent(address, url, token)
    },
  )
  const refused = await consenting.done?.then(
    () => '',
    (error) => `\n${error.stack}`,
  )
  return ['authorization-server-metadata-endpoint', 'authorization-code-grant'].map((name) => {
    const [, passed = 0, failed = 1] = new RegExp(`${name}: (\\d+) passed, (\\d+) failed`).exec(output) ?? []
    const result = `${passed}/${Number(passed) + Number(failed)}`
    const isRight = Number(passed) > 0 && Number(failed) === 0
    return { judge: `conformance ${name}`, result, failed: [], isRight, output: output + (refused ?? '') }
  })
}

/**
 * Allows a request of a client as its page does, and follows the redirect back to the client.
 *
 * @param {string} address
 * @param {string} url
 * @param {string} token
 */
async function consent(address, url, token) {
  const opened = await fetch(url, { redirect: 'manual' })
  const requestId = /([0-9a-f-]{36})$/.exec(opened.headers.get('location') ?? '')?.[1]
  const headers = {
    cookie: opened.headers.get('set-cookie')?.split(';')[0] ?? '',
    authorization: `Bearer ${token}`,
  }
  const body = { scopes: ['read'], containerId: null }
  const approved = await call(address, `POST /oauth/requests/${requestId}/approve`, { headers, body })
  await fetch(/** @type {{ redirectTo: string }} */ (approved).redirectTo)
}
