import type { Site } from "../../contract/site.ts";
import { broadcastsOf, type Cidr } from "../../kit/net/ip.ts";
import { vlanFinder, type VlanOf } from "../../domain/device/vlan.ts";
import type { GraphPlace } from "../../domain/graph/input.ts";
import { BoundedMap } from "../../kit/bounded-map.ts";

const NO_PLACE: GraphPlace = {
  country: null,
  city: null,
  latitude: null,
  longitude: null,
  asn: null,
  asOrganisation: null,
};
/** Addresses of a site, each about 200 bytes. */
const MAX_ADDRESSES = 200_000;

/** GeoIP files; `build` differs whenever the files in use do. */
export interface Places {
  lookup(ip: string): GraphPlace;
  readonly build?: string | null;
}

type PlaceOf = (ip: string) => GraphPlace;

const noPlace: PlaceOf = () => NO_PLACE;

/** What configuration files say of the addresses of a site: looking for it takes longer than the graph itself. */
export class AddressFacts {
  readonly #vlans = new BoundedMap<string, number | null>(MAX_ADDRESSES);
  readonly #places = new BoundedMap<string, GraphPlace>(MAX_ADDRESSES);
  readonly #findVlan: VlanOf;
  #build: string | null | undefined;
  #placeOf: PlaceOf | null = null;

  readonly broadcasts: ReadonlySet<string>;

  /** @param networks Of the site, those of its VLANs included. */
  constructor(site: Pick<Site, "vlans">, networks: readonly Cidr[]) {
    this.#findVlan = vlanFinder(site.vlans);
    this.broadcasts = broadcastsOf(networks);
  }

  readonly vlanOf: VlanOf = (ip) => remembered(this.#vlans, ip, this.#findVlan);

  /** The places of addresses by the files that are in use now; another function when answers may have changed. */
  placesOf(geoip: Places | undefined): PlaceOf {
    if (geoip === undefined) return noPlace;
    // Without a build it is not known whether answers change.
    if (this.#placeOf === null || geoip.build === undefined || geoip.build !== this.#build) {
      this.#places.clear();
      this.#build = geoip.build;
      this.#placeOf = (ip) => remembered(this.#places, ip, (one) => geoip.lookup(one));
    }
    return this.#placeOf;
  }
}

function remembered<T>(known: BoundedMap<string, T>, ip: string, find: (ip: string) => T): T {
  let value = known.get(ip);
  if (value === undefined) known.set(ip, value = find(ip));
  return value;
}
