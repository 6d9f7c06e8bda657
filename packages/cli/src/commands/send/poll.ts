import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { addSend, type Options, send } from './direct-call.ts'

interface PollOptions extends Options {
  readonly multiple?: true
}

/** Adds `send poll`. */
export function registerPoll(parent: Command, run: Run): void {
  addSend(
    parent,
    'poll <phone> <question> <answers...>',
    'send a poll; votes arrive as poll.vote events',
    'msgctl send poll +12025550100 "Which day suits you?" Monday Tuesday --multiple',
  )
    .option('--multiple', 'allow more than one answer')
    .action(
      run((context, phone: string, question: string, answers: string[], options: PollOptions) => {
        const poll = { question, options: answers, multipleAnswers: options.multiple ?? false }
        return send(context, phone, options, (client, envelope, settings) =>
          client.alert.sendPoll.withResponse({ ...poll, ...envelope }, settings),
        )
      }),
    )
}
