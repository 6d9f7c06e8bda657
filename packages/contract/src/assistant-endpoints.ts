/**
 * The endpoints of assistants and their shops by name. They are a table of their own, because an account key reaches
 * them, while few programs call them. Clients include this table at run time, so it imports nothing.
 */
export const assistantEndpoints = {
  bots: {
    list: 'GET /bots',
    create: 'POST /bots',
    usage: 'GET /bots/usage',
    get: 'GET /bots/:botId',
    update: 'PUT /bots/:botId',
    delete: 'DELETE /bots/:botId',
    activate: 'POST /bots/:botId/activate',
    pause: 'POST /bots/:botId/pause',
    ask: 'POST /bots/:botId/ask',
    answers: 'GET /bots/:botId/answers',
    addAnswer: 'POST /bots/:botId/answers',
    importAnswers: 'POST /bots/:botId/answers/import',
    changeAnswer: 'PUT /bots/:botId/answers/:answerId',
    removeAnswer: 'DELETE /bots/:botId/answers/:answerId',
    reviews: 'GET /bots/:botId/reviews',
    resolveReview: 'POST /bots/:botId/reviews/:reviewId/resolve',
    conversations: 'GET /bots/:botId/conversations',
    conversation: 'GET /bots/:botId/conversations/:conversationId',
    takeOver: 'POST /bots/:botId/conversations/:conversationId/take-over',
    giveBack: 'POST /bots/:botId/conversations/:conversationId/give-back',
    products: 'GET /bots/:botId/products',
    addProduct: 'POST /bots/:botId/products',
    importProducts: 'POST /bots/:botId/products/import',
    changeProduct: 'PUT /bots/:botId/products/:productId',
    removeProduct: 'DELETE /bots/:botId/products/:productId',
    orders: 'GET /bots/:botId/orders',
    order: 'GET /bots/:botId/orders/:orderNumber',
    changeOrder: 'PUT /bots/:botId/orders/:orderNumber',
    orderPhones: 'GET /bots/:botId/order-phones',
    addOrderPhone: 'POST /bots/:botId/order-phones',
    removeOrderPhone: 'DELETE /bots/:botId/order-phones/:phone',
  },
} as const
