/** A mistake of the mock itself, never of the caller. */
export class MockFault extends Error {
  override readonly name = "MockFault";
}
