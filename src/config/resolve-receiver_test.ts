import assert from "node:assert/strict";
import { bareHost, receiverAddresses, RefusedAddress, requireReceiver } from "./resolve-receiver.ts";

const answering = (...addresses: string[]) => () => Promise.resolve(addresses);

Deno.test("a name that resolves to cloud metadata addresses only is refused", async () => {
  for (const address of ["169.254.169.254", "fe80::1%eth0", "::ffff:169.254.169.254", "fd00:ec2::254"]) {
    await assert.rejects(receiverAddresses("receiver.example", answering(address)), RefusedAddress);
  }
});

Deno.test("of several addresses only allowed ones are used", async () => {
  const found = await receiverAddresses("receiver.example", answering("169.254.169.254", "192.0.2.7", "::1"));
  assert.deepEqual(found, ["192.0.2.7", "::1"]);
});

Deno.test("an address is not resolved and follows the same rule", async () => {
  const resolve = () => Promise.reject(new Error("asked"));
  for (const url of ["http://192.0.2.7/", "http://[::1]:9000/", "http://3221225991/"]) {
    assert.equal((await receiverAddresses(bareHost(new URL(url)), resolve)).length, 1);
  }
  for (const url of ["http://2852039166/", "http://0xa9fea9fe/", "http://[::ffff:a9fe:a9fe]/"]) {
    await assert.rejects(receiverAddresses(bareHost(new URL(url)), resolve), RefusedAddress, url);
  }
});

Deno.test("a name without an address is a failure", async () => {
  await assert.rejects(receiverAddresses("receiver.example", answering()), /no address/);
});

Deno.test("a host that a client resolves again may have no refused address, and an unknown one is left to it", async () => {
  for (const address of ["2001:db8::5efe:169.254.169.254", "fec0::1", "2001:0:a9fe:a9fe::1"]) {
    await assert.rejects(
      requireReceiver("id.example", answering("192.0.2.7", address)),
      RefusedAddress,
      address,
    );
    await assert.rejects(requireReceiver(address, answering()), RefusedAddress, address);
  }
  await requireReceiver("id.example", answering("192.0.2.7", "::1"));
  await requireReceiver("id.example", () => Promise.reject(new Error("no such name")));
});
