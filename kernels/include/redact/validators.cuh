#pragma once

// The checks on the text of a match. Each is defined in the Java class of its name (text/Luhn.java
// and so on) and gives the same verdict for every sequence of bytes, in time linear in it.

#include "host_device.cuh"
#include "redact/redact_abi.cuh"

namespace flinkgpu {

FLINKGPU_HD bool is_digit(uint8_t byte) {
  return byte >= '0' && byte <= '9';
}

FLINKGPU_HD bool is_hex_digit(uint8_t byte) {
  return is_digit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

FLINKGPU_HD bool accepts_luhn(const uint8_t* text, uint32_t bytes) {
  if (bytes > luhn_max_bytes) {
    return false;
  }
  uint32_t digits = 0;
  uint32_t sum = 0;
  for (uint32_t i = bytes; i-- > 0;) {
    const uint8_t byte = text[i];
    if (byte == ' ' || byte == '-') {
      continue;
    }
    if (!is_digit(byte) || digits == luhn_max_digits) {
      return false;
    }
    ++digits;
    const uint32_t weighted = static_cast<uint32_t>(byte - '0') << (1 - (digits & 1));
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return digits >= luhn_min_digits && sum % 10 == 0;
}

FLINKGPU_HD bool accepts_iban(const uint8_t* text, uint32_t bytes, const uint8_t* lengths) {
  if (bytes > iban_max_bytes) {
    return false;
  }
  uint32_t count = 0;
  uint32_t country = 0;
  uint32_t head = 0;
  uint32_t remainder = 0;
  for (uint32_t i = 0; i < bytes; ++i) {
    const uint8_t byte = text[i];
    if (byte == ' ') {
      continue;
    }
    const bool digit = is_digit(byte);
    const bool letter = byte >= 'A' && byte <= 'Z';
    const bool fits = count < 2 ? letter : count < 4 ? digit : digit || letter;
    if (count == iban_max_characters || !fits) {
      return false;
    }
    const uint32_t number = digit ? byte - '0' : byte - 'A' + 10;
    if (count < 4) {
      // Goes after the rest: at most 353599, and 6 digits long.
      head = head * (digit ? 10 : 100) + number;
      country = count < 2 ? country * 26 + (byte - 'A') : country;
    } else {
      remainder = (remainder * (digit ? 10 : 100) + number) % 97;
    }
    ++count;
  }
  return count >= 4 && count == lengths[country] && (remainder * 1000000 + head) % 97 == 1;
}

FLINKGPU_HD bool accepts_dotted_quad(const uint8_t* text, uint32_t bytes) {
  uint32_t parts = 1;
  uint32_t digits = 0;
  uint32_t number = 0;
  for (uint32_t i = 0; i < bytes; ++i) {
    if (text[i] == '.') {
      if (digits == 0) {
        return false;
      }
      ++parts;
      digits = 0;
      number = 0;
      continue;
    }
    if (!is_digit(text[i])) {
      return false;
    }
    ++digits;
    number = number * 10 + (text[i] - '0');
    if (digits > 3 || number > 255) {
      return false;
    }
  }
  return parts == 4 && digits > 0;
}

FLINKGPU_HD bool accepts_ipv6(const uint8_t* text, uint32_t bytes) {
  if (bytes < 2 || bytes > ipv6_max_bytes) {
    return false;
  }
  uint32_t i = 0;
  uint32_t groups = 0;
  bool compressed = text[0] == ':';
  if (compressed) {
    if (text[1] != ':') {
      return false;
    }
    i = 2;
  }
  // Each pass reads one group and the colons after it; none is left only after "::".
  while (i < bytes) {
    uint32_t group_end = i;
    while (group_end < bytes && is_hex_digit(text[group_end])) {
      ++group_end;
    }
    if (group_end < bytes && text[group_end] == '.') {
      groups += 2;
      return accepts_dotted_quad(text + i, bytes - i) && (compressed ? groups <= 7 : groups == 8);
    }
    if (group_end == i || group_end - i > 4) {
      return false;
    }
    ++groups;
    i = group_end;
    if (i == bytes) {
      break;
    }
    if (text[i] != ':' || i + 1 == bytes) {
      return false;
    }
    ++i;
    if (text[i] == ':') {
      if (compressed) {
        return false;
      }
      compressed = true;
      ++i;
    }
  }
  return compressed ? groups <= 7 : groups == 8;
}

FLINKGPU_HD bool accepts_us_ssn(const uint8_t* text, uint32_t bytes) {
  if (bytes > us_ssn_max_bytes) {
    return false;
  }
  uint32_t digits = 0;
  uint32_t number = 0;
  for (uint32_t i = 0; i < bytes; ++i) {
    const uint8_t byte = text[i];
    if (byte == ' ' || byte == '-') {
      continue;
    }
    if (!is_digit(byte) || digits == 9) {
      return false;
    }
    ++digits;
    number = number * 10 + (byte - '0');
  }
  const uint32_t area = number / 1000000;
  const uint32_t group = number / 10000 % 100;
  const uint32_t serial = number % 10000;
  return digits == 9 && area != 0 && area != 666 && area < 900 && group != 0 && serial != 0;
}

// `terms[k]` is k * log2(k) in fixed point, so both sides are exact 64-bit integers.
FLINKGPU_HD bool accepts_entropy(const uint8_t* text, uint32_t bytes, uint32_t min_milli_bits,
                                 const int32_t* terms) {
  const uint32_t length = bytes < entropy_max_bytes ? bytes : entropy_max_bytes;
  uint16_t counts[256] = {};
  int64_t sum = 0;
  for (uint32_t i = 0; i < length; ++i) {
    const uint32_t count = counts[text[i]]++;
    sum += terms[count + 1] - terms[count];
  }
  const int64_t least = (static_cast<int64_t>(min_milli_bits) * length) << entropy_fraction_bits;
  return length > 0 && 1000 * (terms[length] - sum + length) >= least;
}

}  // namespace flinkgpu
