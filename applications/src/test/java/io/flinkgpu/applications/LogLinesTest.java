package io.flinkgpu.applications;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;

import static org.assertj.core.api.Assertions.assertThat;

/** What is read from a line: its time, a latency, its service. */
class LogLinesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            textBlock =
                    """
                    {"ts":"2026-03-02T08:00:01.250Z","level":"INFO"}                     | 2026-03-02T08:00:01.250Z
                    2015-10-18 18:01:47,978 INFO [main] x.Y: z                           | 2015-10-18T18:01:47.978Z
                    2026-03-02T08:00:01.5+02:00 a                                        | 2026-03-02T06:00:01.500Z
                    2026-03-02 08:00:01 -0130 a                                          | 2026-03-02T09:30:01Z
                    nova.log.1.2017-05-16_13:53:08 2017-05-16 00:00:00.008 25746 INFO x  | 2017-05-16T00:00:00.008Z
                    10.0.0.1 - - [02/Mar/2026:08:00:00 +0000] "GET / HTTP/1.1" 200 1     | 2026-03-02T08:00:00Z
                    17/06/09 20:10:40 INFO spark.SecurityManager: x                      | 2017-06-09T20:10:40Z
                    1969-12-31T23:59:59.999Z before the epoch                            | 1969-12-31T23:59:59.999Z
                    """)
    void times(String line, String time) {
        assertThat(LogTime.find(line)).hasValue(Instant.parse(time).toEpochMilli());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Dec 10 06:55:46 LabSZ sshd[24200]: no year",
                "2026-02-31 08:00:00 no such day",
                "2026-13-01 08:00:00 no such month",
                "[02/Xyz/2026:08:00:00 +0000] no such month",
                "2026-03-02T08:00:00+99:00 no such offset",
                "12026-03-02 08:00:00 no such year",
                "a 17/06/09 20:10:40 not at the start"
            })
    void noTime(String line) {
        assertThat(LogTime.find(line)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            textBlock =
                    """
                    latency=12ms                                  | 12
                    latency=12                                    | 12
                    latency=0.012                                 | 12
                    took 35 ms.                                   | 35
                    Took 19.05 seconds to spawn                   | 19050
                    {"took_ms":123,"msg":"x"}                     | 123
                    {"durationUs": "1500"}                        | 1.5
                    duration_ms=7.25                              | 7.25
                    request_time: 0.250                           | 250
                    status: 200 len: 1893 time: 0.2477829         | 247.7829
                    read took 1.053312 secs. to complete          | 1053.312
                    cache refreshed in 41 ms, 1204 entries        | 41
                    icmp_seq=1 ttl=64 time=0.043 ms               | 0.043
                    elapsed=17ns                                  | 0.000017
                    latency=0.4ns                                 | 0
                    latency=0.5ns                                 | 0.000001
                    "GET / HTTP/1.1" 200 1 "-" "curl/8.9.1" 0.123 | 123
                    took 3ms and then took 5ms                    | 3
                    LATENCY=9MS                                   | 9
                    """)
    void latencies(String line, String millis) {
        assertThat(LogLatency.find(line))
                .hasValueSatisfying(
                        found -> {
                            assertThat(found).isEqualByComparingTo(millis);
                            assertThat(found.scale()).isEqualTo(LogLatency.SCALE);
                        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "took 3 attempts",
                "Notification time out: 3200",
                "start_time=12 uptime: 5",
                "onExtend time:1514038530000",
                "time: 12:30",
                "latency=[CARD]",
                "latency=1.2.3",
                "latency=-5ms",
                "latency=12345678901234ms",
                "duration=999999999999s",
                "in 3 days",
                "threshold 250 ms"
            })
    void noLatency(String line) {
        assertThat(LogLatency.find(line)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            textBlock =
                    """
                    {"ts":"x","level":"INFO","service":"payments","took_ms":1}           | payments
                    t INFO  [http-3] OrderService - x                                    | OrderService
                    t INFO [main] org.apache.hadoop.mapreduce.MRAppMaster: Created       | org.apache.hadoop.mapreduce.MRAppMaster
                    t 25746 INFO nova.osapi_compute.wsgi.server [req-1 2] 10.1.1.1 "GET" | nova.osapi_compute.wsgi.server
                    081109 203615 148 INFO dfs.DataNode$PacketResponder: x               | dfs.DataNode$PacketResponder
                    2026-03-02T08:00:00Z bastion sshd[1234]: x                           | sshd
                    """)
    void services(String line, String service) {
        assertThat(LogService.find(line)).contains(service);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.1 - - [02/Mar/2026:08:00:00 +0000] \"GET / HTTP/1.1\" 200 1",
                "t ERROR the disk is full",
                "t WARN the status is ERROR code: 5",
                "t INFO [EMAIL] - logged in",
                "service=[SECRET] x"
            })
    void noService(String line) {
        assertThat(LogService.find(line)).isEmpty();
    }

    @Test
    void filesAreServicesByTheirFirstName() {
        assertThat(LogService.ofFile("nova-api.log.1")).isEqualTo("nova-api");
        assertThat(LogService.ofFile("[EMAIL]")).isEqualTo("[EMAIL]");
        assertThat(LogService.ofFile(".x")).isEqualTo(".x");
        assertThat(LogService.ofFile("a\tb\u001b.log")).isEqualTo("a b ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "in 1", "took 1.", "\" 1.000 x", "time=\"", "[a INFO "})
    @Timeout(20)
    void longLinesTakeLinearTime(String part) {
        String line = part.repeat((1 << 16) / part.length());
        assertThat(LogLatency.find(line)).isEmpty();
        assertThat(LogTime.find(line)).isEmpty();
        assertThat(LogService.find(line)).isEmpty();
    }
}
