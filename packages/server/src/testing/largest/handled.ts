import { limits } from '@msgctl/contract'
import { cleanAnswer } from '#ai-clients/mcp/clean-text.ts'
import { clientName } from '#ai-clients/oauth/clients.ts'
import { allowedRedirects } from '#ai-clients/oauth/redirect-address.ts'
import { readJson } from '#api/http/body.ts'
import { readUpload } from '#api/http/files/upload.ts'
import { answerHandlers } from '#conversations/bots/knowledge/answers.ts'
import { buildIndex, type IndexedQuestion } from '#conversations/bots/knowledge/question-index.ts'
import { cleanText } from '#networks/gateway/clean.ts'
import { translate } from '#networks/gateway/waha/ingress.ts'
import { checkList } from '#numbers/recipients/check-list.ts'
import {
  longestText,
  missingVariables,
  type Recipient,
  removeDuplicates,
  renderFor,
} from '#sending/campaigns/recipients.ts'
import { parseTemplate } from '#sending/messages/template.ts'
import { mountedAs } from '#testing/matrix/mounted.ts'
import { largestInput } from './largest-input.ts'
import { requestOf } from './read-input.ts'

/** What reached a part of the service of the largest input, and the bound of it. */
export interface Counted {
  readonly what: string
  readonly count: number
  readonly most: number
}

/** Work on the largest input of a route, beyond its validation and before the database. */
export interface HandledInput {
  readonly what: string
  readonly bytes: Buffer
  readonly handle: () => Promise<readonly Counted[]>
  /** How much CPU it may take, as a multiple of JSON.parse of the same bytes (default: that of all routes). */
  readonly factor?: number
}

const timeoutMs = 60_000
const texts = { kind: 'texts', letters: 'any letters' } as const
const bodyOf = (name: Parameters<typeof mountedAs>[0], recipe: Parameters<typeof largestInput>[1] = texts) =>
  largestInput(mountedAs(name), recipe).body
const jsonOf = (value: unknown) => Buffer.from(JSON.stringify(value))

/** Returns the code of what a call throws; empty when it throws nothing. */
async function codeOf(call: () => unknown): Promise<string> {
  try {
    await call()
    return ''
  } catch (error) {
    return String((error as { readonly code?: string }).code ?? error)
  }
}

/** Counts a refusal: one that is missing is beyond the bound. */
async function refused(what: string, code: string, call: () => unknown): Promise<readonly Counted[]> {
  const found = await codeOf(call)
  return [{ what: `${what}, not refused with ${code}: ${found}`, count: found === code ? 0 : 1, most: 0 }]
}

const boundary = 'b'
function form(parts: readonly string[], lastBytes: number): Buffer {
  const heads = parts.map((part) => `--${boundary}\r\nContent-Disposition: form-data; ${part}\r\n\r\n`).join('\r\n')
  return Buffer.concat([Buffer.from(heads), Buffer.alloc(lastBytes, 'x'), Buffer.from(`\r\n--${boundary}--\r\n`)])
}
async function readForm(body: Buffer): Promise<readonly Counted[]> {
  const { bytes } = await readUpload(requestOf(body, `multipart/form-data; boundary=${boundary}`), {}, timeoutMs)
  return [{ what: 'bytes of the file', count: bytes.length, most: limits.media.bytes }]
}

const fieldsOfForm = Array.from({ length: limits.media.formParts - 1 }, () => 'name="a"; filename="b"')
const fullForm = form([...fieldsOfForm, 'name="file"; filename="f"'], limits.media.bytes)
const manyParts = form(
  Array.from({ length: 100_000 }, () => 'name="a"; filename="b"'),
  1,
)
const encodedFile = jsonOf({ content: Buffer.alloc(limits.media.bytes).toString('base64') })

/** 200,000 characters in questions of the longest kind. */
function longQuestions(): IndexedQuestion[] {
  const given = bodyOf('bots.importAnswers') as { rows: { questions: string[] }[] }
  const all = given.rows.flatMap(({ questions }, answer) => questions.map((text) => ({ answer, text })))
  const longest = Math.floor(limits.bots.questionCharacters / limits.bots.question)
  return all
    .slice(0, longest)
    .map(({ answer, text }) => ({ answerId: `a${answer}`, text, stems: text.split(/[^\p{L}]+/u) }))
}

async function indexAll(questions: readonly IndexedQuestion[]): Promise<readonly Counted[]> {
  let pauses = 0
  const index = await buildIndex(questions, async () => void pauses++)
  return [
    {
      what: 'characters that are indexed',
      count: questions.map(({ text }) => text).join('').length,
      most: limits.bots.questionCharacters,
    },
    { what: 'questions without a pause', count: questions.length - pauses, most: 0 },
    { what: 'bytes of the index', count: index.bytes, most: 64 * limits.bots.questionCharacters },
  ]
}

/** A transaction that a refusal must come before. */
const unused = () => Promise.reject(new Error('the database is reached'))
const importCall = (body: object) =>
  ({ caller: { organizationId: 'o' }, params: { botId: 'b' }, body, idempotency: { transact: unused } }) as never

/** Texts of strangers, of which some were stored when they could be longer. */
const hostile = ['![', '<a>', '<', '![a](', '[x]('].map((sign) => sign.repeat(70_000 / sign.length))
const thread = {
  messages: Array.from({ length: limits.mcp.messages.max }, (_, n) => ({
    textFromContact: hostile[n % hostile.length],
  })),
}

async function clean(): Promise<readonly Counted[]> {
  const { messages } = cleanAnswer(thread) as { messages: { textFromContact: string }[] }
  const lengths = messages.map(({ textFromContact }) => textFromContact.length)
  return [
    { what: 'characters of a text', count: Math.max(...lengths), most: limits.mcp.messageCharacters },
    {
      what: 'characters of all texts',
      count: lengths.reduce((sum, length) => sum + length, 0),
      most: limits.mcp.answerCharacters,
    },
  ]
}

/** The longest template of placeholders of recipients. */
const fullTemplate = '{{k0}}{{ k1 }}{{'.padEnd(limits.message, '{{k2}}')

async function renderAll({ recipients }: { readonly recipients: readonly Recipient[] }): Promise<readonly Counted[]> {
  const { unique } = removeDuplicates(recipients)
  const template = parseTemplate(fullTemplate)
  await missingVariables(template, unique)
  await longestText(template, unique)
  const lengths = unique.map((recipient) => renderFor(template, recipient).text.length)
  return [
    { what: 'recipients', count: unique.length, most: limits.campaignRecipients },
    { what: 'characters of a text', count: Math.max(...lengths), most: limits.message },
  ]
}

/** Texts of a list that are no numbers, as long as a body may have them. */
const garbage = Array.from({ length: 250 }, (_, n) => `${n}`.padEnd(limits.bulkTextBytes - 2, ' (-.[]'))

async function checkGarbage(): Promise<readonly Counted[]> {
  const noRows = { raw: async () => ({ rows: [] }) }
  const session = { organizationId: 'o', containerId: 'c' }
  const options = { signal: AbortSignal.timeout(timeoutMs), purpose: 'list' } as const
  const { entries } = await checkList({ db: noRows } as never, session, garbage, options)
  const accepted = entries.filter(({ recipient }) => recipient !== null)
  return [{ what: 'texts that are taken for numbers', count: accepted.length, most: 0 }]
}

const noId = '018f3b5e-0000-7000-8000-000000000000'
const webhook = (event: string, payload: object) =>
  jsonOf({
    id: 'evt_1',
    timestamp: 1,
    event,
    session: 's',
    metadata: { organizationId: noId, containerId: noId },
    payload,
  })
const reportBytes = 1024 * 1024
const longReport = webhook('message', {
  id: 'm',
  from: '12025550100@c.us',
  fromMe: false,
  body: '\0<'.repeat(reportBytes / 8),
})

async function takeReport(): Promise<readonly Counted[]> {
  const kept = translate({ body: longReport }).flatMap((one) =>
    one.kind === 'message.in' ? [cleanText(one.message.text)] : [],
  )
  return [
    { what: 'characters of a message', count: kept.join('').length, most: limits.message },
    { what: 'messages that are lost', count: 1 - kept.length, most: 0 },
  ]
}

/** What a host may nest in what it passes on. */
const deepReport = webhook('session.status', {
  status: 'WORKING',
  data: JSON.parse(`${'['.repeat(3000)}${']'.repeat(3000)}`),
})

const redirects = Array.from({ length: limits.oauth.redirectAddresses }, (_, n) =>
  `https://a.example/${n}`.padEnd(1500, 'x'),
)
const registration = jsonOf({ redirect_uris: redirects, client_name: '"\u202e'.repeat(200) })

async function registerClient(): Promise<readonly Counted[]> {
  const bounds = { maxBytes: limits.publicBodyBytes, marks: limits.publicBodyMarks, timeoutMs }
  const body = (await readJson(requestOf(registration), bounds)) as { redirect_uris: string[]; client_name: string }
  return [
    {
      what: 'redirect addresses',
      count: allowedRedirects(body.redirect_uris).length,
      most: limits.oauth.redirectAddresses,
    },
    { what: 'characters of the name', count: clientName(body.client_name)?.length ?? 0, most: 100 },
  ]
}

const questions = longQuestions()
const campaign = bodyOf('campaigns.create') as unknown as { recipients: Recipient[] }
const manyRecipients = bodyOf('campaigns.create', {
  kind: 'entries',
  letters: 'one letter',
}) as unknown as typeof campaign
const allAnswers = bodyOf('bots.importAnswers')

/** What is done with the largest inputs of the expensive routes. */
export const handledInputs: readonly HandledInput[] = [
  { what: 'a form with all parts that it may have', bytes: fullForm, handle: () => readForm(fullForm) },
  {
    what: 'a form of 100,000 parts',
    bytes: manyParts,
    handle: () => refused('a form', 'PAYLOAD_TOO_LARGE', () => readForm(manyParts)),
  },
  {
    what: 'a file in base64',
    bytes: encodedFile,
    handle: async () => {
      const { bytes } = await readUpload(requestOf(encodedFile), {}, timeoutMs)
      return [{ what: 'bytes of the file', count: bytes.length, most: limits.media.bytes }]
    },
  },
  {
    what: 'questions of the answers of an import, beyond what an assistant can have',
    bytes: jsonOf(allAnswers),
    handle: () => refused('an import', 'FORBIDDEN_ACTION', () => answerHandlers.importAnswers(importCall(allAnswers))),
  },
  {
    what: 'all questions that an assistant can have',
    bytes: jsonOf(questions),
    handle: () => indexAll(questions),
    // About eight features for each character are hashed and sorted.
    factor: 1000,
  },
  { what: 'texts of strangers, for AI clients', bytes: jsonOf(thread), handle: clean },
  { what: 'recipients with the longest variables', bytes: jsonOf(campaign), handle: () => renderAll(campaign) },
  {
    what: 'as many recipients as a campaign can have',
    bytes: jsonOf(manyRecipients),
    handle: () => renderAll(manyRecipients),
  },
  { what: 'a list of garbage to clean', bytes: jsonOf(garbage), handle: checkGarbage },
  {
    what: 'a deep report of a host',
    bytes: deepReport,
    handle: async () => [{ what: 'states that are lost', count: 1 - translate({ body: deepReport }).length, most: 0 }],
  },
  { what: 'a report of a host', bytes: longReport, handle: takeReport },
  { what: 'a registration of an AI client', bytes: registration, handle: registerClient },
]
