// Types of a client of the API, read from the route table: the dashboard and the command line are checked against it.

import type { z } from "@hono/zod-openapi";
import type { OperationId, ROUTES } from "../routes.ts";

export type { OperationId };

type RouteOf<Id extends OperationId> = (typeof ROUTES)[Id];

/** Method and path of an operation, as a client without the route table knows it. */
export type OperationLine<Id extends OperationId> = `${RouteOf<Id>["method"]} ${RouteOf<Id>["path"]}`;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The path parameters of an operation. */
type ParamsOf<Id extends OperationId> = { [Name in NamesIn<RouteOf<Id>["path"]>]: string };

type Text<T> = Extract<T, string | number | boolean>;
/** What can be sent for a parameter: its text, or the value that the server reads from the text. */
type Sendable<In, Out> = In extends readonly (infer One)[] ? Text<One> | readonly Text<One>[]
  : Text<In> | Text<Out>;

type QueryIn<Schema extends z.ZodType> = {
  [Name in keyof z.input<Schema>]:
    | Sendable<
      NonNullable<z.input<Schema>[Name]>,
      Name extends keyof z.output<Schema> ? z.output<Schema>[Name] : never
    >
    | (undefined extends z.input<Schema>[Name] ? null | undefined : never);
};

/** The query of an operation; null is left out as undefined is. */
export type QueryOf<Id extends OperationId> = RouteOf<Id> extends { query: infer Schema extends z.ZodType }
  ? QueryIn<Schema>
  : Record<never, never>;

type Part<Name extends string, T> = Record<never, never> extends T ? { [N in Name]?: T } : { [N in Name]: T };

/** What the caller of an operation states. */
export type RequestOf<Id extends OperationId> =
  & Part<"params", ParamsOf<Id>>
  & Part<"query", QueryOf<Id>>
  & (RouteOf<Id> extends { body: infer Schema extends z.ZodType } ? { body: z.input<Schema> } : unknown);

/** The body of an operation's request. */
export type BodyOf<Id extends OperationId> = RouteOf<Id> extends { body: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : never;

/** The body of an operation's answer. */
export type AnswerOf<Id extends OperationId> = z.output<RouteOf<Id>["response"]>;

/** The object or list in an operation's answer. */
export type DataOf<Id extends OperationId> = AnswerOf<Id> extends { data: infer Data } ? Data : never;

/** Operations that change something, and those among them that need the revision that the change is based on. */
export type WriteId = { [Id in OperationId]: RouteOf<Id>["write"] extends true ? Id : never }[OperationId];
export type RevisionedId = {
  [Id in OperationId]: RouteOf<Id>["revisioned"] extends true ? Id : never;
}[OperationId];

/** Operations whose answer is a page of a list. */
export type ListId = {
  [Id in OperationId]: RouteOf<Id>["method"] extends "GET"
    ? AnswerOf<Id> extends { data: readonly unknown[]; next_cursor: string | null } ? Id : never
    : never;
}[OperationId];

/** The objects of a list. */
export type ItemOf<Id extends ListId> = DataOf<Id> extends readonly (infer Item)[] ? Item : never;
