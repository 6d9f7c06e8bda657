import { actionStates } from '@msgctl/contract'
import * as z from 'zod'
import { readTool } from '#ai-clients/mcp/tool.ts'

export const getAction = readTool({
  name: 'get_action',
  title: 'Get what waits for a person',
  description: 'Get what became of a call that waits for the approval of a person, by the actionId in its answer.',
  input: z.object({ actionId: z.uuid().describe('The actionId.') }),
  output: z.object({
    actionId: z.string().describe('The action.'),
    tool: z.string().describe('The tool that was called.'),
    state: z.enum(actionStates).describe('pending, then denied, expired, or done or failed once it was approved.'),
    approvalUrl: z.string().describe('The page where a person decides.'),
    expiresAt: z.string().describe('Until when it can be approved.'),
    result: z.record(z.string(), z.unknown()).nullable().describe('The answer of the tool, or its error.'),
  }),
  route: null,
  toInput: () => ({}),
  toAnswer: (answer: Record<string, unknown>) => answer,
})
