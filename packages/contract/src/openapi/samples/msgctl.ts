import * as cast from '../examples/cast.ts'
import { inputExamples as inputs } from '../examples/inputs.ts'
import { botLines } from './msgctl-bots.ts'
import type { Sampled } from './samples.ts'

const { alert, campaigns, contacts, otp, reminders } = inputs
const phone = cast.jane.typed
const message = cast.order.messageId
const campaign = cast.campaign.id
const reminder = cast.reminder.id
const support = cast.support.label
const sales = cast.sales.label

const day = (name: string, on: string) =>
  `  {"phone": "${name}", "variables": {"name": "${on === 'Monday' ? 'Jane' : 'José'}", "day": "${on}"}}`
const people = `[\n${day(phone, 'Monday')},\n${day(cast.jose.typed, 'Tuesday')}\n]`

/** Pipes a text into a command. */
const piped = (text: string, command: string) => `${command} <<'END'\n${text}\nEND`
const rows = ['phone,sendAt,label,name', `${phone},2030-01-31T09:00:00Z,Appointment 17,Jane`].join('\n')

/** The line of msgctl for an operation, where msgctl has a command for it. */
const lines: Readonly<Record<string, string>> = {
  'alert.send': `msgctl send ${phone} "${alert.send.message}" --reference ${alert.send.clientReference}`,
  'alert.sendImage': `msgctl send image ${phone} ${alert.sendImage.imageUrl} --caption "${alert.sendImage.caption}"`,
  'alert.sendVideo': `msgctl send video ${phone} ${alert.sendVideo.videoUrl} --caption "${alert.sendVideo.caption}"`,
  'alert.sendFile': `msgctl send file ${phone} ${alert.sendFile.fileUrl} --filename "${alert.sendFile.filename}"`,
  'alert.sendVoice': `msgctl send voice ${phone} ${alert.sendVoice.audioUrl}`,
  'alert.sendContact': `msgctl send contact ${phone} "${cast.jose.name}:${cast.jose.typed}" --email jose@example.com`,
  'alert.sendLocation': `msgctl send location ${phone} 38.8894 -77.0352 --name "${alert.sendLocation.name}"`,
  'alert.sendLink': `msgctl send link ${phone} ${alert.sendLink.url} "${alert.sendLink.message}"`,
  'alert.sendPoll': `msgctl send poll ${phone} "${alert.sendPoll.question}" "In the morning" "In the evening"`,
  'alert.validate': `msgctl validate ${alert.validate.phones.join(' ')}`,
  'alert.batch': piped(alert.batch.recipients.join('\n'), `msgctl batch "${alert.batch.message}" --file - --yes`),
  'alert.message': `msgctl messages show ${message}`,
  'alert.forward': `msgctl messages forward ${message} ${cast.jose.typed}`,
  'alert.edit': `msgctl messages edit ${message} "${alert.edit.message}"`,
  'alert.delete': `msgctl messages delete ${message}`,
  'alert.cancel': `msgctl messages cancel ${message}`,
  'media.upload': `msgctl media upload "./${inputs.media.upload.filename}"`,
  'recipients.validate': piped(inputs.recipients.validate.phones.join('\n'), 'msgctl validate --file -'),
  'messages.list': 'msgctl messages list --status read --limit 20',
  'messages.get': `msgctl messages show ${message}`,
  'messages.stats': 'msgctl stats',
  'messages.hours': 'msgctl stats --hours 24',
  'messages.queue': `msgctl messages queue --number ${support}`,
  'overview.get': 'msgctl top --once',
  'overview.stream': 'msgctl top',
  'campaigns.create': piped(
    people,
    `msgctl campaigns create "${campaigns.create.name}" "${campaigns.create.template}" \\\n` +
      `  --at ${campaigns.create.scheduledAt} --yes --file -`,
  ),
  'campaigns.preview': piped(people, `msgctl campaigns preview "${campaigns.preview.template}" --file -`),
  'campaigns.list': 'msgctl campaigns list',
  'campaigns.get': `msgctl campaigns show ${campaign}`,
  'campaigns.status': `msgctl campaigns show ${campaign} --json`,
  'campaigns.recipients': `msgctl campaigns recipients ${campaign} --status read`,
  'campaigns.update': `msgctl campaigns edit ${campaign} --name "${campaigns.update.name}" --unschedule`,
  'campaigns.send': `msgctl campaigns send ${campaign} --from ${support}`,
  'campaigns.pause': `msgctl campaigns pause ${campaign}`,
  'campaigns.resume': `msgctl campaigns resume ${campaign} --from ${support}`,
  'campaigns.cancel': `msgctl campaigns cancel ${campaign}`,
  'campaigns.delete': `msgctl campaigns delete ${campaign}`,
  'reminders.list': 'msgctl reminders list --status scheduled',
  'reminders.get': `msgctl reminders show ${reminder}`,
  'reminders.create':
    `msgctl reminders create ${phone} "${reminders.create.message}" --var name=Jane \\\n` +
    `  --at ${reminders.create.sendAt} --repeat monthly --time-zone Europe/Berlin --label Rent`,
  'reminders.import': piped(rows, `msgctl reminders import "${reminders.import.message}" --yes --csv -`),
  'reminders.update': `msgctl reminders edit ${reminder} --at ${reminders.update.sendAt}`,
  'reminders.cancel': `msgctl reminders cancel ${reminder}`,
  'reminders.delete': `msgctl reminders delete ${reminder}`,
  'otp.send': `msgctl otp send ${phone} --template "${otp.send.template}"`,
  'otp.verify': `msgctl otp verify ${otp.verify.requestId} ${otp.verify.code}`,
  'otp.stats': `msgctl otp stats --days ${otp.stats.days}`,
  'chats.list': 'msgctl chats list --search Jane --limit 20',
  'chats.unread': 'msgctl chats unread --limit 20',
  'chats.ack': `msgctl chats ack ${cast.question.id}`,
  'chats.attachment': `msgctl chats download ${cast.question.id}`,
  'chats.thread': `msgctl chats show ${phone} --limit 20`,
  'chats.read': `msgctl chats read ${phone}`,
  'contacts.search': 'msgctl contacts search Jane',
  'contacts.list': 'msgctl contacts list --saved',
  'contacts.optOuts': 'msgctl contacts opt-outs',
  'contacts.count': 'msgctl contacts count',
  'contacts.sync': `msgctl contacts sync --number ${support}`,
  'contacts.update': `msgctl contacts opt-out ${phone}`,
  'contacts.optOutWords': 'msgctl contacts words',
  'contacts.setOptOutWords': [
    'msgctl contacts words',
    ...contacts.setOptOutWords.words.map((word) => `"${word}"`),
  ].join(' '),
  'numbers.list': 'msgctl numbers list',
  'numbers.create': `msgctl numbers add ${sales}`,
  'numbers.update': `msgctl numbers default ${support}`,
  'numbers.delete': `msgctl numbers remove ${sales}`,
  'numbers.sendGroup': 'msgctl numbers group show',
  'numbers.setSendGroup': `msgctl numbers group set --on --numbers ${support},${sales} --mode backup --sticky`,
  'numbers.status': `msgctl numbers status ${support}`,
  'numbers.qr': `msgctl numbers link ${sales}`,
  'numbers.pair': `msgctl numbers pair +${cast.sales.phone} --number ${sales}`,
  'numbers.start': `msgctl numbers start ${support}`,
  'numbers.stop': `msgctl numbers stop ${support}`,
  'numbers.reconnect': `msgctl numbers reconnect ${support}`,
  'numbers.logout': `msgctl numbers logout ${support}`,
  'numbers.history': `msgctl numbers history ${support} --limit 20`,
  'numbers.profile': `msgctl numbers profile ${support}`,
  'numbers.setProfile': `msgctl numbers profile ${support} --name "Example Shop" --about "Open from 9 to 5"`,
  'numbers.release': `msgctl numbers release ${support} --send`,
  'numbers.generateKey': `msgctl keys generate --number ${support}`,
  'numbers.regenerateKey': `msgctl keys rotate --number ${support}`,
  'account.me': 'msgctl account me',
  'account.limits': 'msgctl limits',
  'account.usage': 'msgctl account usage',
  'account.generateKey': 'msgctl keys generate',
  'numbers.deleteKey': `msgctl keys delete --number ${support}`,
  'account.regenerateKey': 'msgctl keys rotate',
  'webhook.get': 'msgctl webhook show',
  'webhook.set': `msgctl webhook set ${cast.webhookUrl}`,
  'webhook.regenerateSecret': 'msgctl webhook rotate --overlap 1h',
  'webhook.deliveries': 'msgctl webhook deliveries --status dropped',
  'webhook.delivery': `msgctl webhook delivery ${cast.deliveryId}`,
  'webhook.replayDeliveries': 'msgctl webhook replay --dropped --since 2h --yes',
  'webhook.test': 'msgctl webhook test --event message.delivered',
  'events.list': 'msgctl events list --types message.delivered,message.read --limit 20',
  'events.stream': 'msgctl events tail --types message.inbound',
  'events.replay': `msgctl events replay ${cast.eventId}`,
  ...botLines,
  'auth.signIn': `msgctl login --email ${cast.owner.email}`,
  'auth.signOut': 'msgctl logout',
  'auth.consoleCode': 'msgctl open',
}

/** Returns the call through `msgctl api`, which reaches every route. */
function rawCall({ method, path, query, body, route }: Sampled): string {
  const fields = Object.entries(query).map(([name, value]) => ` -f ${name}=${String(value)}`)
  const user = route.access.keys === 'none' ? ' --as-user' : ''
  const command = `msgctl api ${method} ${path}${fields.join('')}${user}`
  return body ? piped(JSON.stringify(body, null, 2), `${command} --input -`) : command
}

/** Returns the call as a line of msgctl: its own command, or `msgctl api` where there is none. */
export function msgctlSample(sampled: Sampled): string {
  return lines[`${sampled.resource}.${sampled.name}`] ?? rawCall(sampled)
}
