export {
  type DeliveryOptions,
  type EventBody,
  eventFixtures,
  eventOf,
  type SignedDelivery,
  signedDelivery,
  testSecret,
} from '@msgctl/webhook-verifier/testing'
export { type ExampleId, exampleOf } from './in-memory/examples.ts'
export { type FakeCall, type FakeService, fakeService } from './in-memory/service.ts'
