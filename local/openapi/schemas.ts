import * as z from 'zod/mini';
import { FileViewSchema } from '#lib/domain/file.ts';
import { FilePatchSchema } from '#lib/domain/file-patch.ts';
import { answers } from '#lib/http/responses.ts';
import { file } from './examples.ts';
import { limits } from './limits.ts';
import { fileWords, patchWords, schemaWords, tagWords } from './words/fields.ts';

/** What is said of a schema besides its type. Those with an id become components of their own. */
type Notes = {
  id?: string;
  description: string;
  examples?: readonly unknown[];
  maxLength?: number;
  minProperties?: number;
};

const TagSchema = FileViewSchema.shape.tags._zod.def.element;
const MessageSchema = z.string();
const detailedOnly = { originalName: true, chunksCount: true, charactersCount: true } as const;

/** The schemas of the code with their words: a file's in its two shapes, and what a refinement hides. */
const annotated = () => {
  const notes = z.registry<Notes>();
  const { shape } = FilePatchSchema;
  notes.add(FilePatchSchema, { id: 'FilePatch', description: schemaWords.patch, minProperties: 1 });
  for (const name of namesOf(shape))
    notes.add(shape[name], {
      description: patchWords[name],
      examples: [file[name]],
      maxLength: limits[name],
    });

  notes.add(z.required(FileViewSchema), { id: 'DetailedFile', description: schemaWords.detailed });
  notes.add(z.omit(FileViewSchema, detailedOnly), { id: 'BasicFile', description: schemaWords.basic });
  for (const name of namesOf(FileViewSchema.shape))
    notes.add(FileViewSchema.shape[name], { description: fileWords[name], examples: [file[name]] });

  notes.add(TagSchema, { id: 'Tag', description: schemaWords.tag });
  for (const name of namesOf(TagSchema.shape))
    notes.add(TagSchema.shape[name], { description: tagWords[name], examples: [file.tags[0]?.[name]] });

  notes.add(z.object({ message: MessageSchema }), { id: 'Error', description: schemaWords.error });
  notes.add(MessageSchema, {
    description: schemaWords.message,
    examples: [answers['api-key-invalid'].message],
  });
  return notes;
};

const namesOf = <Shape extends object>(shape: Shape): readonly (keyof Shape & string)[] =>
  Object.keys(shape).filter((name): name is keyof Shape & string => Object.hasOwn(shape, name));

/** The reference to a schema from anywhere in the document. */
export const schemaRef = (id: string) => ({ $ref: `#/components/schemas/${id}` });

/** The schemas of openapi.yaml by name. */
export const componentSchemas = (): Record<string, unknown> => {
  const notes = annotated();
  const { schemas } = z.toJSONSchema(notes, { metadata: notes, uri: (id) => schemaRef(id).$ref });
  // In an OpenAPI document a schema is known by its place, and its dialect by the document's.
  const inPlace = Object.entries(schemas).map(([id, { $id, $schema, ...schema }]) => [id, schema]);
  return Object.fromEntries(inPlace);
};
