import { z } from "@hono/zod-openapi";
import { Meta, Timestamp } from "../request/common.ts";

export const INGEST_PATH = "/internal/v1/ingest/events";
export const INGEST_LIVE_PATH = "/internal/v1/ingest/health/live";
export const INGEST_READY_PATH = "/internal/v1/ingest/health/ready";

export const MAX_INGEST_LINES = 1000;
export const MAX_INGEST_BYTES = 5 * 1024 * 1024;

export const IngestAnswer = z.object({
  data: z.object({
    accepted: z.number().int(),
    duplicates: z.number().int(),
    rejected: z.number().int(),
    committed_at: Timestamp,
  }),
  meta: Meta,
});
export type IngestAnswer = z.infer<typeof IngestAnswer>;
