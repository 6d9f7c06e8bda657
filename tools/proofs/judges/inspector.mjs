// The Inspector's command line against /mcp, in both eras of the protocol.
import { makePerson } from './service.mjs'

/** @import { Output, Row, Run } from './programs.mjs' */

/** @typedef {Pick<Row, 'result' | 'isRight'>} Verdict */

/** A credential may make 120 requests a minute; the load stays below it. */
const loadCalls = 100

/**
 * Runs the Inspector. Returns a row for each of its commands.
 *
 * @param {Run} run
 * @param {string} address
 */
export async function judgeByInspector(run, address) {
  const rows = []
  for (const era of ['modern', 'legacy']) {
    const { apiKey } = await makePerson(address)
    const target = ['--cli', `${address}/api/v1/mcp`, '--transport', 'http', '--protocol-era', era]
    const common = [...target, '--header', `X-API-Key: ${apiKey}`, '--format', 'json']
    /** @param {string[]} args */
    const inspect = (...args) => run('mcp-inspector', [...common, ...args])
    const call = ['--method', 'tools/call', '--tool-name', 'list_numbers']
    rows.push(
      rowOf(`Inspector ${era} tools/list --strict`, await inspect('--method', 'tools/list', '--strict'), strictResult),
      rowOf(`Inspector ${era} tools/call`, await inspect(...call), callResult),
      rowOf(
        `Inspector ${era} --load`,
        await inspect(...call, '--load', '--load-requests', String(loadCalls), '--load-concurrency', '4'),
        loadResult,
      ),
    )
  }
  return rows
}

/**
 * @param {string} judge
 * @param {Output} run
 * @param {(output: string) => Verdict} resultOf
 * @returns {Row}
 */
function rowOf(judge, { output, code }, resultOf) {
  const { result, isRight } = code === 0 ? resultOf(output) : { result: `exit ${code}`, isRight: false }
  return { judge, result, failed: [], isRight, output }
}

/**
 * The answer of the Inspector is the JSON in its output.
 *
 * @param {string} output
 */
function jsonIn(output) {
  return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
}

/** @param {string} output */
function strictResult(output) {
  return {
    result: `exit 0, ${(output.match(/"inputSchema"/g) ?? []).length} tools`,
    isRight: output.includes('list_numbers'),
  }
}

/** @param {string} output */
function callResult(output) {
  return { result: 'exit 0', isRight: output.includes('structuredContent') && !output.includes('"isError": true') }
}

/** @param {string} output */
function loadResult(output) {
  const { requests, ok, errors, toolErrors, latencyMs } = jsonIn(output).result
  const result = `${ok} of ${requests} calls, median ${Math.round(latencyMs.p50)} ms`
  return { result, isRight: requests === loadCalls && ok === requests && errors === 0 && toolErrors === 0 }
}
