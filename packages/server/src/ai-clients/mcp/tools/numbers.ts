import { contract, limits, type OutputOf } from '@msgctl/contract'
import * as z from 'zod'
import { reads, readTool, tool } from '#ai-clients/mcp/tool.ts'

const record = contract.numbers.list.response.shape.sessions.element.shape

type Listed = OutputOf<'numbers', 'list'>
type State = OutputOf<'numbers', 'status'>

export const listNumbers = readTool({
  name: 'list_numbers',
  title: 'List numbers',
  description:
    'List the phone numbers that this service sends and receives with, and whether each is connected. Use the ' +
    'id of a number as containerId in other tools.',
  input: z.object({}),
  output: z.object({
    numbers: z
      .array(
        z.object({
          containerId: record.id,
          label: record.label.optional(),
          phoneNumber: record.phoneNumber.optional(),
          status: record.status,
          connected: record.connected,
          isDefault: record.isDefault.optional(),
          advice: z.string().optional().describe('What a person should do about its connection.'),
        }),
      )
      .describe('The numbers, oldest first.'),
  }),
  // With a key or connection of one number, there is only that one.
  route: ({ containerId }) => (containerId === null ? ['numbers', 'list'] : ['numbers', 'status']),
  toInput: () => ({}),
  toAnswer: (body: Listed | State) => ({
    numbers: 'sessions' in body ? body.sessions.map(fromRecord) : [fromState(body)],
  }),
})

function fromRecord({ id, label, phoneNumber, status, connected, isDefault }: Listed['sessions'][number]) {
  return { containerId: id, label, phoneNumber, status, connected, isDefault }
}

function fromState({ containerId, status, connected, action }: State) {
  return { containerId, status, connected, advice: action.message }
}

type Checked = OutputOf<'alert', 'validate'>

export const checkNumbers = tool({
  name: 'check_numbers',
  title: 'Check numbers',
  description: 'Check which phone numbers are on the chat network. Nothing is sent.',
  scope: 'read',
  hints: { ...reads, openWorldHint: true },
  input: z.object({
    phones: z
      .array(z.string().max(limits.phone.max))
      .min(1)
      .max(limits.mcp.checkedPhones)
      .describe(`1 to ${limits.mcp.checkedPhones} numbers like +12025550100.`),
  }),
  output: contract.alert.validate.response.omit({ success: true }),
  route: () => ['alert', 'validate'],
  toInput: ({ phones }) => ({ body: { phones } }),
  toAnswer: ({ valid, invalid, total }: Checked) => ({ valid, invalid, total }),
})
