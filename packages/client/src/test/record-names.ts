import { contract } from '@msgctl/contract'

const { messages, overview, campaigns, reminders, numbers, chats, contacts, webhook, account } = contract

/** The records that have a name of their own in the client's types, with the comment of each. */
export const records = [
  [messages.get.response.shape.message, 'Message', 'One message.'],
  [messages.get.response.shape.timeline.element, 'TimelineEntry', 'One step of a message.'],
  [campaigns.list.response.shape.campaigns.element, 'Campaign', 'One campaign, with the counts of its messages.'],
  [campaigns.recipients.response.shape.recipients.element, 'CampaignRecipient', 'One recipient of a campaign.'],
  [reminders.list.response.shape.reminders.element, 'Reminder', 'One reminder.'],
  [numbers.list.response.shape.sessions.element, 'NumberRecord', 'One number of the organization.'],
  [numbers.sendGroup.response.shape.sendGroup, 'SendGroup', 'The numbers that stand in for each other.'],
  [chats.list.response.shape.chats.element, 'Chat', 'One chat, with its last message.'],
  [chats.thread.response.shape.messages.element, 'ChatMessage', 'One message of a chat.'],
  [chats.unread.response.shape.messages.element, 'UnreadMessage', 'One received message that is not marked read.'],
  [contacts.search.response.shape.contacts.element, 'Contact', 'One contact.'],
  [webhook.deliveries.response.shape.deliveries.element, 'Delivery', 'One event for one webhook endpoint.'],
  [webhook.endpoints.response.shape.endpoints.element, 'WebhookEndpoint', 'One webhook endpoint.'],
  [messages.queue.response.shape.lanes.element.shape.messages.element, 'WaitingMessage', 'One message that waits.'],
  [overview.get.response, 'Overview', 'What an operator watches.'],
  [account.me.response, 'Account', 'The account that a key or a token belongs to.'],
] as const
