/** Something that should not be: a record that fits no shape, a setting that is missing. Answered as an opaque 500.
 * Its message goes to the log as it is, so it names attributes and variables and never holds a value. */
export class Fault extends Error {
  override readonly name = 'Fault';
}
