import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { readTable, type TableRow } from '../../input/csv.ts'
import {
  exitCodeFor,
  type InvalidRowOptions,
  leftOutHelp,
  reportRejectedRows,
  resolveInvalidRows,
  skipInvalidOption,
} from '../../input/invalid-rows.ts'
import { defineColumns } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { subNoun, verb } from '../../program.ts'
import { resolveBotId, resolvePartId } from './reference.ts'

const columns = defineColumns(
  { field: 'questions', title: 'Questions', long: true, show: (value) => (value as string[]).join(' / ') },
  { field: 'answer', title: 'Answer', long: true },
  'lang as Language, enabled, id as Answer id',
)

async function list(context: Context, reference: string, paging: ListOptions): Promise<void> {
  const client = await context.admin()
  const botId = await resolveBotId(client, reference)
  const rows = listRows(context, paging, client.bots.answers, { botId })
  await context.print.list(rows, columns, 'The assistant has no answers.')
}

async function add(
  context: Context,
  reference: string,
  answer: string,
  { question: questions, lang }: { readonly question: readonly string[]; readonly lang?: string },
): Promise<void> {
  if (questions.length === 0) throw usageFailure('Pass at least one --question.')
  const client = await context.admin()
  const botId = await resolveBotId(client, reference)
  const input = { botId, questions, answer, ...(lang !== undefined && { lang }) }
  await context.print.record((await client.bots.addAnswer(input)).answer, columns)
}

const shape = { required: ['question', 'answer'], optional: ['lang'], example: 'question,answer,lang' }

interface ImportOptions extends InvalidRowOptions {
  readonly csv: string
}

function emptyCells({ cell }: TableRow): string[] {
  return shape.required.flatMap((name) => (cell(name).trim() === '' ? [`the ${name} is empty`] : []))
}

/** Rows with the same answer are ways to ask for it. */
async function importAnswers(context: Context, reference: string, options: ImportOptions): Promise<number> {
  const table = await readTable(context.host, options.csv, shape)
  const judged = table.map((row) => ({ row, faults: [...row.faults, ...emptyCells(row)] }))
  const valid = judged.flatMap(({ row, faults }) => (faults.length === 0 ? [row] : []))
  const errors = judged
    .filter(({ faults }) => faults.length > 0)
    .map(({ row, faults }) => ({ at: { line: row.line }, fault: faults.join('; ') }))
  await resolveInvalidRows(context, { valid: valid.length, errors }, options)
  const answers = new Map<string, { line: number; questions: string[]; answer: string; lang?: string }>()
  for (const { line, cell } of valid) {
    const key = `${cell('lang')} ${cell('answer')}`
    const known = answers.get(key)
    if (known) known.questions.push(cell('question'))
    else {
      const lang = cell('lang') === '' ? {} : { lang: cell('lang') }
      answers.set(key, { line, questions: [cell('question')], answer: cell('answer'), ...lang })
    }
  }
  const rows = [...answers.values()]
  const client = await context.admin()
  const botId = await resolveBotId(client, reference)
  const imported = await client.bots
    .importAnswers({ botId, rows: rows.map(({ line: _line, ...row }) => row) })
    .catch((error) => {
      reportRejectedRows(context, 'rows', rows, error)
      throw error
    })
  await context.print.record({ created: imported.created }, [{ field: 'created', title: 'Created' }])
  return exitCodeFor(errors)
}

async function remove(context: Context, reference: string, answer: string): Promise<void> {
  const client = await context.admin()
  const botId = await resolveBotId(client, reference)
  const answerId = await resolvePartId(context, client, 'answers', botId, answer)
  await client.bots.removeAnswer({ botId, answerId })
  await context.print.record({ id: answerId, deleted: true }, [{ field: 'id', title: 'Deleted' }])
}

const collect = (value: string, all: readonly string[]) => [...all, value]

/** `bots answers`. */
export const answersVerbs = subNoun(
  'answers',
  'manage what an assistant knows',
  verb('list <bot>', 'list the answers', list, ['msgctl bots answers list Desk'], listOptions),
  verb(
    'add <bot> <answer>',
    'add an answer with the questions it belongs to',
    add,
    ['msgctl bots answers add Desk "We open at 9." --question "When do you open?" --question "Opening hours?"'],
    (command) =>
      command
        .option('--question <text>', 'a way to ask it; can be repeated', collect, [])
        .option('--lang <language>', "language (default: the assistant's first)"),
  ),
  verb(
    'import <bot>',
    'add answers from a CSV file; rows with the same answer are ways to ask for it',
    importAnswers,
    ['msgctl bots answers import Desk --csv answers.csv'],
    (command) =>
      command
        .requiredOption('--csv <file>', 'CSV file with columns question and answer, optionally lang; - for stdin')
        .option(...skipInvalidOption)
        .addHelpText('after', leftOutHelp),
  ),
  verb('remove <bot> <answerId>', 'remove an answer', remove, [
    'msgctl bots answers remove Desk 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
  ]),
)
