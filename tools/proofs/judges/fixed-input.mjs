// The suite's tools that need something of the client before they are done (SEP-2322).

/** @import { MakeServer } from '@msgctl/server/ai-clients/mcp/protocol' */

/** @typedef {Parameters<MakeServer>[0]} Sdk The library of the protocol. */
/** @typedef {ReturnType<MakeServer>} Server */
/** @typedef {Parameters<Parameters<Server['setRequestHandler']>[2]>[1]} Context */
/** @typedef {NonNullable<Parameters<Sdk['inputRequired']>[0]['inputRequests']>} InputRequests */
/** @typedef {ReturnType<Sdk['inputResponse']>} View */
/** @typedef {{ elicitation?: object, sampling?: object }} Capabilities */
/** @typedef {{ name?: string, round?: number }} State What goes through the client and comes back. */

/** Signs the states that go through the client. It is no secret: the judges run on loopback. */
export const stateKey = 'a key of thirty-two bytes or more for the judges'

/** @param {string} value */
const text = (value) => ({ type: /** @type {const} */ ('text'), text: value })
/** @param {string} value */
const done = (value) => ({ content: [text(value)] })

/**
 * @param {string} message
 * @param {string} field
 * @param {{ type: 'string' } | { type: 'boolean' }} [schema]
 */
const question = (message, field, schema = { type: 'string' }) => ({
  message,
  requestedSchema: { type: /** @type {const} */ ('object'), properties: { [field]: schema }, required: [field] },
})
/**
 * @param {string} value
 * @param {number} maxTokens
 */
const sample = (value, maxTokens) => ({
  messages: [{ role: /** @type {const} */ ('user'), content: text(value) }],
  maxTokens,
})

/**
 * What each tool asks for, by the name of the request: how it is asked, and how its response is recognized.
 *
 * @param {Sdk} sdk
 * @returns {Record<string, InputRequests>}
 */
function requestsOf(sdk) {
  const { elicit, createMessage, listRoots } = sdk.inputRequired
  const asksName = { user_name: elicit(question('What is your name?', 'name')) }
  const asksRoots = { client_roots: listRoots() }
  return {
    test_input_required_result_elicitation: asksName,
    test_input_required_result_sampling: {
      capital_question: createMessage(sample('What is the capital of France?', 100)),
    },
    test_input_required_result_list_roots: asksRoots,
    test_input_required_result_request_state: {
      confirm: elicit(question('Please confirm', 'ok', { type: 'boolean' })),
    },
    test_input_required_result_multiple_inputs: {
      ...asksName,
      greeting: createMessage(sample('Generate a greeting', 50)),
      ...asksRoots,
    },
    test_input_required_result_tampered_state: {
      confirm: elicit(question('Please confirm', 'ok', { type: 'boolean' })),
    },
    test_streaming_elicitation: asksName,
  }
}

/** Tools that send a state along, which comes back signed. */
const withState = new Set([
  'test_input_required_result_request_state',
  'test_input_required_result_multiple_inputs',
  'test_input_required_result_tampered_state',
])

const steps = [
  { name: 'step1', asks: question('Step 1: What is your name?', 'name') },
  { name: 'step2', asks: question('Step 2: What is your favorite color?', 'color') },
]

export const inputTools = [
  'test_input_required_result_elicitation',
  'test_input_required_result_sampling',
  'test_input_required_result_list_roots',
  'test_input_required_result_request_state',
  'test_input_required_result_multiple_inputs',
  'test_input_required_result_tampered_state',
  'test_streaming_elicitation',
  'test_input_required_result_multi_round',
  'test_input_required_result_capabilities',
  'test_missing_capability',
]

/**
 * Calls one of the tools. Returns its result, or what it needs first.
 *
 * @param {Sdk} sdk
 * @param {string} name
 * @param {Context} context
 */
export function callInputTool(sdk, name, context) {
  if (name === 'test_input_required_result_multi_round') return callInRounds(sdk, context)
  if (name === 'test_input_required_result_capabilities') return askWithinCapabilities(sdk, context)
  if (name === 'test_missing_capability') return needSampling(sdk, context)
  const requests = requestsOf(sdk)[name] ?? {}
  /** @type {State | undefined} */
  const state = context.mcpReq.requestState()
  const responses = context.mcpReq.inputResponses
  const views = Object.keys(requests).map((key) => sdk.inputResponse(responses, key))
  if (views.some(({ kind }) => kind === 'missing')) return ask(sdk, requests, withState.has(name) ? { name } : null)
  if (withState.has(name) && state?.name !== name) {
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, 'The state is not of this tool.')
  }
  return done(`${withState.has(name) ? 'state-ok ' : ''}${views.map(said).join(' ')}`)
}

/**
 * @param {Sdk} sdk
 * @param {InputRequests} inputRequests
 * @param {State | null} state
 */
async function ask(sdk, inputRequests, state) {
  if (state === null) return sdk.inputRequired({ inputRequests })
  const requestState = await sdk.createRequestStateCodec({ key: stateKey }).mint(state)
  return sdk.inputRequired({ inputRequests, requestState })
}

/**
 * Returns what a client responded, as a text.
 *
 * @param {View} view
 */
function said(view) {
  if (view.kind === 'elicit') return `Hello, ${Object.values(view.content ?? {}).join(' ')}!`
  if (view.kind === 'roots') return view.roots.map(({ uri }) => uri).join(' ')
  if (view.kind === 'missing') return ''
  const { content } = view.result
  return Array.isArray(content) || content.type !== 'text' ? '' : content.text
}

/**
 * @param {Sdk} sdk
 * @param {Context} context
 */
function callInRounds(sdk, { mcpReq }) {
  /** @type {State | undefined} */
  const state = mcpReq.requestState()
  const round = state?.round ?? 0
  const asked = steps[round - 1]
  const isAnswered = asked !== undefined && sdk.inputResponse(mcpReq.inputResponses, asked.name).kind === 'elicit'
  const next = isAnswered || round === 0 ? round : round - 1
  const step = steps[next]
  if (step === undefined) return done('Both steps are done.')
  return ask(sdk, { [step.name]: sdk.inputRequired.elicit(step.asks) }, { round: next + 1 })
}

/**
 * Returns what the client of a request is able to do.
 *
 * @param {Context} context
 */
function capabilitiesOf({ mcpReq }) {
  const envelope = /** @type {Record<string, Capabilities | undefined> | undefined} */ (mcpReq.envelope)
  return envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {}
}

/**
 * @param {Sdk} sdk
 * @param {Context} context
 */
function askWithinCapabilities(sdk, context) {
  const can = capabilitiesOf(context)
  const { elicit, createMessage } = sdk.inputRequired
  return ask(
    sdk,
    {
      ...(can.elicitation && { user_name: elicit(question('What is your name?', 'name')) }),
      ...(can.sampling && { greeting: createMessage(sample('Generate a greeting', 50)) }),
    },
    null,
  )
}

/**
 * @param {Sdk} sdk
 * @param {Context} context
 */
function needSampling(sdk, context) {
  if (capabilitiesOf(context).sampling) return done('The client can sample.')
  throw new sdk.MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
}

export const inputPrompt = { name: 'test_input_required_result_prompt', description: 'Asks for a context.' }

/**
 * Returns the prompt with the context that the client gave, or asks for it.
 *
 * @param {Sdk} sdk
 * @param {Context} context
 */
export function getInputPrompt(sdk, { mcpReq }) {
  const given = sdk.acceptedContent(mcpReq.inputResponses, 'user_context')
  if (given)
    return { messages: [{ role: /** @type {const} */ ('user'), content: text(`In the context of ${given.context}`) }] }
  const asks = question('What context should the prompt use?', 'context')
  return ask(sdk, { user_context: sdk.inputRequired.elicit(asks) }, null)
}
