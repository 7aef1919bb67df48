import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "../base/api.ts";

const MINUTE = 60_000;

/** The brief of a day; of yesterday without a date. */
export const dailyBrief = (tenant: string, date: string | undefined) =>
  queryOptions({
    queryKey: [tenant, "brief", date ?? "yesterday"],
    queryFn: ({ signal }) => call("getDailyBrief", { query: { date }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 5 * MINUTE,
  });

/** The days of a month such as 2026-01. */
export const briefCalendar = (tenant: string, month: string) =>
  queryOptions({
    queryKey: [tenant, "brief-calendar", month],
    queryFn: ({ signal }) => call("getBriefCalendar", { query: { month }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 5 * MINUTE,
  });
