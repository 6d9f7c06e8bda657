/** The folders with tests of sending and receiving, which hold over every network. */
export const featureFolders = ['api/media', 'conversations/chats', 'conversations/inbound', 'numbers', 'sending'].map(
  (folder) => `packages/server/src/${folder}/`,
)
