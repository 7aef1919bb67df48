import fc from "fast-check";
import {
  anyCount,
  anyFloat,
  anyIp,
  anyList,
  anyRecord,
  anyRef,
  anyText,
  anyTime,
  checkStored,
  sampleRef,
} from "../../../../test/support/detect/stored-state.ts";
import { DEVICE_HOURS, type HoursState, type OpenHour } from "./hours.ts";
import { UPLOADERS, type UploadersState } from "./uploaders.ts";
import { type Upload, UPLOADS, type UploadsState } from "./uploads.ts";

const anyHours = anyRecord<HoursState>({
  open: anyList(
    anyRecord<OpenHour>({ hour: anyFloat, bytes: anyCount, ordinary: anyCount, evaluatedBytes: anyCount }),
    4,
  ),
  closed: anyList(fc.nat(212), 168),
  times: anyList(fc.nat(127), 24),
});

const SAMPLE_HOURS: HoursState = {
  open: [{ hour: 444_444, bytes: 12_345_678, ordinary: 0, evaluatedBytes: 0 }, {
    hour: -3,
    bytes: 0,
    ordinary: 0,
    evaluatedBytes: 2 ** 53 - 1,
  }],
  closed: [0, 77, 212],
  times: [],
};

const SAMPLE_TIMES: HoursState = {
  open: [{ hour: 444_444, bytes: 12_345_678, ordinary: 9_000_000, evaluatedBytes: 0 }],
  closed: [77],
  times: [0, 127, 5],
};

const anyUploaders = anyRecord<UploadersState>({
  largest: anyList(anyRecord({ device: fc.nat(2 ** 32 - 1), size: fc.nat(212) }), 16),
});

const anyUploads = anyRecord<UploadsState>({
  uploads: anyList(
    anyRecord<Upload>({
      ip: anyIp,
      port: fc.nat(65_535),
      name: anyText(80),
      firstSeen: anyTime,
      lastSeen: anyTime,
      stale: fc.nat(8),
      connections: anyCount,
      pushed: anyCount,
      sent: anyCount,
      received: anyCount,
      web: anyRecord<Upload["web"]>({
        count: anyCount,
        bytes: anyCount,
        put: fc.boolean(),
        dav: fc.boolean(),
        file: anyText(80),
      }),
      evaluatedBytes: anyCount,
      evaluatedWeb: fc.boolean(),
      raw: fc.boolean(),
      reportedScore: anyFloat,
      refs: anyList(anyRef, 4),
    }),
    12,
  ),
});

const SAMPLE_UPLOADS: UploadsState = {
  uploads: [{
    ip: "2001:db8::9",
    port: 443,
    name: "files.example",
    firstSeen: 1_600_000_000_000_000,
    lastSeen: 1_600_000_100_000_000,
    stale: 1,
    connections: 7,
    pushed: 120_000_000,
    sent: 3,
    received: 4_000_000,
    web: { count: 2, bytes: 1_082_089, put: true, dav: false, file: "Büro.7z" },
    evaluatedBytes: 60_000_000,
    evaluatedWeb: true,
    raw: false,
    reportedScore: 41.7,
    refs: [sampleRef(1), sampleRef(2)],
  }],
};

Deno.test("exfiltration: states survive storage, and the format does not change", () => {
  checkStored(
    DEVICE_HOURS,
    anyHours,
    SAMPLE_HOURS,
    "0102411b207000000000cec2f10500c00800000000000000ffffffffffffff0f03004dd401",
  );
  checkStored(DEVICE_HOURS, anyHours, SAMPLE_TIMES, "0201411b207000000000cec2f10500c0a8a504014d03007f05");
  checkStored(UPLOADERS, anyUploaders, {
    largest: [{ device: 2 ** 32 - 1, size: 108 }, { device: 7, size: 80 }],
  }, "0102ffffffff0f6c0750");
  checkStored(
    UPLOADS,
    anyUploads,
    SAMPLE_UPLOADS,
    "01010b323030313a6462383a3a39bb030d66696c65732e6578616d706c654316bcc41e9000004316bcc4366784000107" +
      "809c9c39038092f401808ece1c4044d9999999999a02e98542050842c3bc726f2e377a024316bcc41e90000400000000" +
      "000040008000000000000001000000000000400090000000000000014316bcc41e900008000000000000400080000000" +
      "0000000200000000000040009000000000000002",
  );
});
