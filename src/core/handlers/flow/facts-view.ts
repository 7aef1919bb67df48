import type { Facts as FactsView } from "../../../contract/record/facts.ts";
import type { Facts, TlsFacts } from "../../../domain/record/facts.ts";
import type { Micros } from "../../../domain/record/observation.ts";
import { formatMillis } from "../../../kit/time.ts";

/** Stored facts under the contract's field names. */
export function factsView(facts: Facts): FactsView {
  switch (facts.type) {
    case "dns":
      return facts;
    case "alert": {
      const { signatureId: sid, revision: rev, ...rest } = facts;
      return { ...rest, sid, rev };
    }
    case "anomaly": {
      const { anomalyType: anomaly_type, appProto: app_proto, ...rest } = facts;
      return { ...rest, anomaly_type, app_proto };
    }
    case "tls":
      return tlsView(facts);
    case "http": {
      const { userAgent: user_agent, contentType: content_type, ...more } = facts;
      const { requestBytes: request_bytes, responseBytes: response_bytes, ...rest } = more;
      return { ...rest, user_agent, content_type, request_bytes, response_bytes };
    }
    case "ssh": {
      const { clientSoftware: client_software, serverSoftware: server_software, ...more } = facts;
      const { hasshServer: hassh_server, hostKey: host_key, ...others } = more;
      const { authSuccess: auth_success, authAttempts: auth_attempts, ...rest } = others;
      return {
        ...rest,
        client_software,
        server_software,
        hassh_server,
        host_key,
        auth_success,
        auth_attempts,
      };
    }
    case "smb": {
      const { namedPipe: named_pipe, rpcInterface: rpc_interface, rpcOperation: rpc_operation, ...rest } =
        facts;
      return { ...rest, named_pipe, rpc_interface, rpc_operation };
    }
    case "kerberos": {
      const { messageType: message_type, ticketEncryption: ticket_encryption, ...more } = facts;
      const { weakEncryption: weak_encryption, ...rest } = more;
      return { ...rest, message_type, ticket_encryption, weak_encryption };
    }
    case "dhcp":
      return {
        type: facts.type,
        message_type: facts.messageType,
        client_mac: facts.clientMac,
        client_id: facts.clientId,
        host_name: facts.hostName,
        vendor_class: facts.vendorClass,
        requested_ip: facts.requestedIp,
        assigned_ip: facts.assignedIp,
        lease_seconds: facts.leaseSeconds,
        server_ip: facts.serverIp,
        routers: facts.routers,
        dns_servers: facts.dnsServers,
        subnet_mask: facts.subnetMask,
      };
    case "export": {
      const { samplingRate: sampling_rate, tcpFlags: tcp_flags, ...more } = facts;
      const { inputInterface: input_interface, outputInterface: output_interface, ...rest } = more;
      return { ...rest, sampling_rate, tcp_flags, input_interface, output_interface };
    }
  }
}

function tlsView({ serverName: server_name, notBefore, notAfter, ...rest }: TlsFacts): FactsView {
  return { ...rest, server_name, not_before: timeView(notBefore), not_after: timeView(notAfter) };
}

function timeView(micros: Micros | null): string | null {
  return micros === null ? null : formatMillis(micros);
}
