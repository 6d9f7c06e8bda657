// The suite's tools that need something of the client before they are done (SEP-2322).

/** Signs the states that go through the client. It is no secret: the judges run on loopback. */
export const stateKey = 'a key of thirty-two bytes or more for the judges'

const text = (value) => ({ type: 'text', text: value })
const done = (value) => ({ content: [text(value)] })

const question = (message, field, type = 'string') => ({
  message,
  requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] },
})
const sample = (value, maxTokens) => ({ messages: [{ role: 'user', content: text(value) }], maxTokens })

/** What each tool asks for, by the name of the request: how it is asked, and how its response is recognized. */
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
    test_input_required_result_request_state: { confirm: elicit(question('Please confirm', 'ok', 'boolean')) },
    test_input_required_result_multiple_inputs: {
      ...asksName,
      greeting: createMessage(sample('Generate a greeting', 50)),
      ...asksRoots,
    },
    test_input_required_result_tampered_state: { confirm: elicit(question('Please confirm', 'ok', 'boolean')) },
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

/** Calls one of the tools. Returns its result, or what it needs first. */
export function callInputTool(sdk, name, context) {
  if (name === 'test_input_required_result_multi_round') return callInRounds(sdk, context)
  if (name === 'test_input_required_result_capabilities') return askWithinCapabilities(sdk, context)
  if (name === 'test_missing_capability') return needSampling(sdk, context)
  const requests = requestsOf(sdk)[name]
  const responses = context.mcpReq.inputResponses
  const views = Object.keys(requests).map((key) => sdk.inputResponse(responses, key))
  if (views.some(({ kind }) => kind === 'missing')) return ask(sdk, requests, withState.has(name) ? { name } : null)
  if (withState.has(name) && context.mcpReq.requestState()?.name !== name) {
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, 'The state is not of this tool.')
  }
  return done(`${withState.has(name) ? 'state-ok ' : ''}${views.map(said).join(' ')}`)
}

async function ask(sdk, inputRequests, state) {
  if (state === null) return sdk.inputRequired({ inputRequests })
  const requestState = await sdk.createRequestStateCodec({ key: stateKey }).mint(state)
  return sdk.inputRequired({ inputRequests, requestState })
}

/** Returns what a client responded, as a text. */
function said(view) {
  if (view.kind === 'elicit') return `Hello, ${Object.values(view.content ?? {}).join(' ')}!`
  if (view.kind === 'roots') return view.roots.map(({ uri }) => uri).join(' ')
  return view.result.content.text ?? ''
}

function callInRounds(sdk, { mcpReq }) {
  const round = mcpReq.requestState()?.round ?? 0
  const isAnswered = round > 0 && sdk.inputResponse(mcpReq.inputResponses, steps[round - 1].name).kind === 'elicit'
  const next = isAnswered || round === 0 ? round : round - 1
  const step = steps[next]
  if (step === undefined) return done('Both steps are done.')
  return ask(sdk, { [step.name]: sdk.inputRequired.elicit(step.asks) }, { round: next + 1 })
}

const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

function askWithinCapabilities(sdk, { mcpReq }) {
  const can = mcpReq.envelope?.[capabilitiesKey] ?? {}
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

function needSampling(sdk, { mcpReq }) {
  if (mcpReq.envelope?.[capabilitiesKey]?.sampling) return done('The client can sample.')
  throw new sdk.MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
}

export const inputPrompt = { name: 'test_input_required_result_prompt', description: 'Asks for a context.' }

/** Returns the prompt with the context that the client gave, or asks for it. */
export function getInputPrompt(sdk, { mcpReq }) {
  const given = sdk.acceptedContent(mcpReq.inputResponses, 'user_context')
  if (given) return { messages: [{ role: 'user', content: text(`In the context of ${given.context}`) }] }
  const asks = question('What context should the prompt use?', 'context')
  return ask(sdk, { user_context: sdk.inputRequired.elicit(asks) }, null)
}
