import type { proto } from 'baileys'

/** Returns the first text that is not empty. */
function firstText(...texts: (string | null | undefined)[]): string {
  return texts.find((text) => text?.trim()) ?? ''
}

/** The parts of a message of a business that people read: its file, if any, and its words. */
interface BusinessContent {
  readonly header: Pick<proto.IMessage, 'imageMessage' | 'videoMessage' | 'documentMessage'>
  readonly text: string
}

/**
 * Returns what people read of a message that a business sends by a template, such as the code of a bank: the body, or
 * the title when it has no body. Null for another message, and for one without words.
 */
export function businessContent(m: proto.IMessage): BusinessContent | null {
  const found = m.templateMessage
    ? inTemplate(m.templateMessage)
    : m.highlyStructuredMessage?.hydratedHsm
      ? inTemplate(m.highlyStructuredMessage.hydratedHsm)
      : (inInteractive(m.interactiveMessage) ?? inButtons(m.buttonsMessage) ?? inList(m.listMessage))
  return found && found.text !== '' ? found : null
}

function inTemplate(template: proto.Message.ITemplateMessage): BusinessContent | null {
  const rows = template.hydratedTemplate ?? template.hydratedFourRowTemplate
  if (!rows) return inInteractive(template.interactiveMessageTemplate)
  return { header: pickFile(rows), text: firstText(rows.hydratedContentText, rows.hydratedTitleText) }
}

function inInteractive(message: proto.Message.IInteractiveMessage | null | undefined): BusinessContent | null {
  if (!message) return null
  const { header, body } = message
  return { header: pickFile(header ?? {}), text: firstText(body?.text, header?.title) }
}

function inButtons(message: proto.Message.IButtonsMessage | null | undefined): BusinessContent | null {
  if (!message) return null
  return { header: pickFile(message), text: firstText(message.contentText, message.text) }
}

function inList(message: proto.Message.IListMessage | null | undefined): BusinessContent | null {
  return message ? { header: {}, text: firstText(message.description, message.title) } : null
}

function pickFile({ imageMessage, videoMessage, documentMessage }: BusinessContent['header']) {
  if (imageMessage) return { imageMessage }
  if (videoMessage) return { videoMessage }
  return documentMessage ? { documentMessage } : {}
}
