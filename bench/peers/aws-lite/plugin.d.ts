/** The plugin, which comes without types; its methods' types are @aws-lite/dynamodb-types. */
declare module '@aws-lite/dynamodb' {
  const plugin: object;
  export default plugin;
}
