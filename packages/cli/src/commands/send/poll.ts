import { type Options, send, sendVerb } from './direct-call.ts'

interface PollOptions extends Options {
  readonly multiple?: true
}

/** `send poll`. */
export const pollVerb = sendVerb(
  'poll <phone> <question> <answers...>',
  'send a poll; votes arrive as poll.vote events',
  (context, phone: string, question: string, answers: string[], options: PollOptions) => {
    const poll = { question, options: answers, multipleAnswers: options.multiple ?? false }
    return send(context, phone, options, (client, envelope, settings) =>
      client.alert.sendPoll.withResponse({ ...poll, ...envelope }, settings),
    )
  },
  ['msgctl send poll +12025550100 "Which day suits you?" Monday Tuesday --multiple'],
  (command) => command.option('--multiple', 'allow more than one answer'),
)
