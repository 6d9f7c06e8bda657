import { billingPreparations } from './billing-lines.ts'
import { botPreparations } from './bot-lines.ts'
import { aiPreparations } from './connect-ai.ts'

/** The preparations of a line, by a variable in it or the word after its `#`. A host that is down keeps a message. */
export const preparations: Readonly<Record<string, readonly string[]>> = {
  message: ['message=$(msgctl send +12025550100 hi --wait sent --quiet --output plain --fields id)'],
  queued: [
    'msgctl validate +12025550100',
    'msgctl sim host-down Demo',
    'queued=$(msgctl send +12025550100 hi --output plain --fields messageId)',
  ],
  inbound: ['msgctl sim inbound +12025550100 "Are you open?"'],
  optedOut: ['msgctl sim inbound +12025550100 "Are you open?"', 'msgctl contacts opt-out +12025550100'],
  photo: ['msgctl sim inbound +12025550100 --type image', 'photo=$(msgctl chats unread --output plain --fields id)'],
  unread: [
    'msgctl sim inbound +12025550100 "Are you open?"',
    'unread=$(msgctl chats unread --output plain --fields id)',
  ],
  request: ['request=$(msgctl otp send +13125550121 --template "{{code}}" --output plain --fields requestId)'],
  code: ['code=$(msgctl sim transcript --number Demo --phone +13125550121 --output plain --fields content.text)'],
  extra: ['msgctl numbers add extra'],
  stopped: ['msgctl numbers stop Demo --yes'],
  unlinked: ['msgctl numbers logout Demo --yes'],
  campaign: [
    'campaign=$(msgctl campaigns create News Hello --recipients +12025550100 --quiet --output plain --fields id)',
  ],
  sending: [
    'sending=$(msgctl campaigns create News Hello --recipients +12025550100 --quiet --output plain --fields id)',
    'msgctl sim host-down Demo',
    'msgctl campaigns send $sending --yes',
  ],
  sent: [
    'sent=$(msgctl campaigns create News Hello --recipients +12025550100 --quiet --output plain --fields id)',
    'msgctl campaigns send $sent --yes',
  ],
  paused: [
    'paused=$(msgctl campaigns create News Hello --recipients +12025550100 --quiet --output plain --fields id)',
    'msgctl sim host-down Demo',
    'msgctl campaigns send $paused --yes',
    'msgctl campaigns pause $paused',
  ],
  reminder: [
    'reminder=$(msgctl reminders create +12025550100 hi --at 2027-01-31T09:00:00Z --output plain --fields id)',
  ],
  event: [
    'msgctl send +12025550100 hi --wait read --quiet',
    'event=$(msgctl events list --limit 1 --output plain --fields id)',
  ],
  numberKey: ['msgctl keys generate --number Demo --quiet --yes'],
  delivery: [
    'msgctl webhook set $FILES/hooks',
    'msgctl webhook test',
    'delivery=$(msgctl webhook deliveries --limit 1 --output plain --fields id)',
  ],
  hook: ['msgctl webhook set $FILES/hooks', 'msgctl webhook test'],
  mail: ['msgctl auth forgot $EMAIL'],
  resetLink: [
    'msgctl auth forgot $EMAIL',
    'resetLink=$(msgctl sim mail --to $EMAIL --limit 1 --output plain --fields link)',
  ],
  verifyLink: [
    'msgctl auth verify',
    'verifyLink=$(msgctl sim mail --to $EMAIL --limit 1 --output plain --fields link)',
  ],
  enrolling: [
    'secret=$(echo $PASSWORD | msgctl auth two-factor setup --password-stdin --quiet --output plain --fields secret)',
    'phoneCode=$(totp $secret 0)',
  ],
  enrolled: [
    'secret=$(echo $PASSWORD | msgctl auth two-factor setup --password-stdin --quiet --output plain --fields secret)',
    'phoneCode=$(totp $secret 0)',
    'msgctl auth two-factor on $phoneCode',
    'phoneCode=$(totp $secret 1)',
  ],
  endpoint: ['endpoint=$(msgctl webhook endpoints add $FILES/hooks --quiet --output plain --fields id)'],
  colleague: [
    'msgctl team invite max-$EMAIL',
    'joinLink=$(msgctl sim mail --to max-$EMAIL --limit 1 --output plain --fields link)',
    'echo a long password | msgctl team join $joinLink --name Max --password-stdin --as max',
  ],
  joinLink: [
    'msgctl team invite max-$EMAIL',
    'joinLink=$(msgctl sim mail --to max-$EMAIL --limit 1 --output plain --fields link)',
  ],
  invitation: ['invitation=$(msgctl team invite max-$EMAIL --quiet --output plain --fields id)'],
  acceptLink: [
    'msgctl team invite max-$EMAIL',
    'joinLink=$(msgctl sim mail --to max-$EMAIL --limit 1 --output plain --fields link)',
    'echo a long password | msgctl team join $joinLink --name Max --password-stdin --as max',
    'msgctl org create Theirs --profile max',
    'msgctl team invite $EMAIL --profile max',
    'acceptLink=$(msgctl sim mail --to $EMAIL --limit 1 --output plain --fields link)',
  ],
  guest: [
    'msgctl team invite max-$EMAIL',
    'joinLink=$(msgctl sim mail --to max-$EMAIL --limit 1 --output plain --fields link)',
    'echo a long password | msgctl team join $joinLink --name Max --password-stdin --as max',
    'msgctl org create Theirs --profile max',
    'msgctl team invite $EMAIL --profile max',
    'acceptLink=$(msgctl sim mail --to $EMAIL --limit 1 --output plain --fields link)',
    'msgctl team accept $acceptLink',
    'msgctl org switch Theirs',
  ],
  second: ['msgctl org create Second'],
  heir: [
    'msgctl team invite max-$EMAIL',
    'joinLink=$(msgctl sim mail --to max-$EMAIL --limit 1 --output plain --fields link)',
    'echo a long password | msgctl team join $joinLink --name Max --password-stdin --as max',
    'echo $PASSWORD | msgctl org transfer max-$EMAIL --password-stdin --yes',
  ],
  secured: [
    'secret=$(echo $PASSWORD | msgctl auth two-factor setup --password-stdin --quiet --output plain --fields secret)',
    'phoneCode=$(totp $secret 0)',
    'msgctl auth two-factor on $phoneCode',
  ],
  profile: [
    'echo $KEY | msgctl login --base-url $BASE_URL --with-key --profile live',
    'profile=$(msgctl config list --output plain --fields name)',
  ],
  setting: ['msgctl config set timeout 60'],
  ...billingPreparations,
  ...botPreparations,
  ...aiPreparations,
}
