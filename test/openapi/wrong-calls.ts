import createClient from 'openapi-fetch'
import type { paths } from './generated/api.ts'

const client = createClient<paths>({ baseUrl: 'https://api.example.com/api/v1' })

/** Calls that the document does not allow; this file compiles only while the types made from it refuse every one. */
export const wrongCalls = [
  // @ts-expect-error a phone is a text
  () => client.POST('/alert/send', { body: { phone: 1, message: 'hello' } }),
  // @ts-expect-error a message is demanded
  () => client.POST('/alert/send', { body: { phone: '+12025550100' } }),
  // @ts-expect-error there is no such path
  () => client.GET('/nowhere'),
  // @ts-expect-error there is no such status
  () => client.GET('/messages', { params: { query: { status: 'lost' } } }),
]
