// The tools, prompts and resources that the protocol's conformance suite wants of a server, as a factory for the edge
// of /mcp.
import { setTimeout as wait } from 'node:timers/promises'
import { callInputTool, getInputPrompt, inputPrompt, inputTools, stateKey } from './fixed-input.mjs'

/** @import { Context, Sdk, Server } from './fixed-input.mjs' */

/** @typedef {ReturnType<typeof text> | typeof image | typeof audio | ReturnType<typeof resource>} Content */
/** @typedef {{ isError?: boolean, content: Content[] }} Result */

/** One pixel, and a sound without samples. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

/** @param {string} value */
const text = (value) => ({ type: /** @type {const} */ ('text'), text: value })
const image = { type: /** @type {const} */ ('image'), data: png, mimeType: 'image/png' }
const audio = { type: /** @type {const} */ ('audio'), data: wav, mimeType: 'audio/wav' }
/**
 * @param {string} uri
 * @param {string} mimeType
 * @param {string} value
 */
const resource = (uri, mimeType, value) => ({
  type: /** @type {const} */ ('resource'),
  resource: { uri, mimeType, text: value },
})

/** @type {Record<string, Content[]>} */
const contents = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [audio],
  test_embedded_resource: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', 'application/json', JSON.stringify({ test: 'data', value: 123 })),
  ],
}

/**
 * Tools that do more than return content, by name.
 *
 * @type {Record<string, (sdk: Sdk, context: Context) => Result | Promise<Result>>}
 */
const acts = {
  test_error_handling: () => ({
    isError: true,
    content: [text('This tool intentionally returns an error for testing')],
  }),
  async test_tool_with_progress(_sdk, { mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      }
      await wait(50)
    }
    return { content: [text('Progress was reported.')] }
  },
  async test_logging_tool(_sdk, { mcpReq }) {
    await mcpReq.log('info', 'This is logged where a client asks for it.')
    return { content: [text('Logged.')] }
  },
}

const names = [...Object.keys(contents), ...Object.keys(acts), ...inputTools]
const tools = names.map((name) => ({
  name,
  description: `The suite's ${name}.`,
  inputSchema: { type: /** @type {const} */ ('object'), properties: {} },
}))

/**
 * @param {Sdk} sdk
 * @param {string} name
 * @param {Context} context
 */
function callTool(sdk, name, context) {
  if (contents[name]) return { content: contents[name] }
  if (acts[name]) return acts[name](sdk, context)
  if (inputTools.includes(name)) return callInputTool(sdk, name, context)
  throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `There is no tool ${name}.`)
}

/** @param {string} name */
const required = (name) => ({ name, description: `The ${name}.`, required: true })

const prompts = [
  { name: 'test_simple_prompt', description: 'A prompt.' },
  { name: 'test_prompt_with_arguments', description: 'With two.', arguments: [required('arg1'), required('arg2')] },
  { name: 'test_prompt_with_embedded_resource', description: 'With one.', arguments: [required('resourceUri')] },
  { name: 'test_prompt_with_image', description: 'A picture.' },
  inputPrompt,
]

/** @param {Content[]} all */
const said = (...all) => ({
  messages: all.map((content) => ({ role: /** @type {const} */ ('user'), content })),
})

/**
 * @param {Sdk} sdk
 * @param {{ name: string, arguments?: Record<string, string> | undefined }} params
 * @param {Context} context
 */
function getPrompt(sdk, { name, arguments: args = {} }, context) {
  if (name === 'test_simple_prompt') return said(text('This is a simple prompt for testing.'))
  if (name === 'test_prompt_with_arguments') {
    return said(text(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`))
  }
  if (name === 'test_prompt_with_embedded_resource') {
    const embedded = resource(args.resourceUri ?? '', 'text/plain', 'Embedded resource content for testing.')
    return said(embedded, text('Please process the embedded resource above.'))
  }
  if (name === 'test_prompt_with_image') return said(image, text('Please analyze the image above.'))
  if (name === inputPrompt.name) return getInputPrompt(sdk, context)
  throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`)
}

const resources = [
  { uri: 'test://static-text', name: 'A text', description: 'A text.', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'A picture', description: 'A picture.', mimeType: 'image/png' },
]
const resourceTemplates = [
  { uriTemplate: 'test://template/{id}/data', name: 'Data', description: 'Data by id.', mimeType: 'application/json' },
]

/**
 * @param {Sdk} sdk
 * @param {string} uri
 */
function readResource(sdk, uri) {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (uri === 'test://static-text') {
    return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] }
  }
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: png }] }
  if (id === undefined) throw new sdk.ResourceNotFoundError(uri)
  const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
  return { contents: [{ uri, mimeType: 'application/json', text: data }] }
}

const hint = { ttlMs: 60_000, cacheScope: /** @type {const} */ ('private') }
const cacheable = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'resources/read']

/**
 * Creates the suite's server for one request.
 *
 * @param {Sdk} sdk
 * @returns {Server}
 */
export function fixedServer(sdk) {
  const states = sdk.createRequestStateCodec({ key: stateKey })
  const server = new sdk.Server(
    { name: 'fixed-tools', version: '1' },
    {
      capabilities: { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} },
      cacheHints: Object.fromEntries(cacheable.map((method) => [method, hint])),
      inputRequired: { legacyShim: false },
      requestState: { verify: states.verify },
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools }))
  server.setRequestHandler('tools/call', ({ params }, context) => callTool(sdk, params.name, context))
  server.setRequestHandler('prompts/list', () => ({ prompts }))
  server.setRequestHandler('prompts/get', ({ params }, context) => getPrompt(sdk, params, context))
  server.setRequestHandler('resources/list', () => ({ resources }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }))
  server.setRequestHandler('resources/read', ({ params }) => readResource(sdk, params.uri))
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false },
  }))
  return server
}
