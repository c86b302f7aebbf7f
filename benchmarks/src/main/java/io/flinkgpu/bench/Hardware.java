package io.flinkgpu.bench;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.device.LinkRate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What a run had.
 *
 * @param gpu device as the backend names it; empty without one
 * @param driver its version; empty without a GPU
 * @param cpu model, as the system names it
 * @param cores that Java may use
 * @param java version of the runtime
 * @param toDeviceGbPerS plain copies of pinned memory, measured in this run; 0 without a GPU
 * @param toHostGbPerS the other way
 * @param bothGbPerS both at once, added
 */
public record Hardware(
        String gpu,
        String driver,
        String cpu,
        int cores,
        String java,
        double toDeviceGbPerS,
        double toHostGbPerS,
        double bothGbPerS) {

    /** One line for people. */
    @Override
    public String toString() {
        String device =
                gpu.isEmpty()
                        ? "no GPU"
                        : String.format(
                                Locale.ROOT,
                                "%s, driver %s, link %.1f GB/s to the device, %.1f to the host, %.1f"
                                        + " both ways added",
                                gpu,
                                driver,
                                toDeviceGbPerS,
                                toHostGbPerS,
                                bothGbPerS);
        return device + "; " + cores + " cores, " + cpu + "; Java " + java;
    }

    static Hardware measure(Optional<CudaBackend> gpu) throws BackendException {
        LinkRate link = gpu.isPresent() ? LinkRate.measure(gpu.get()) : LinkRate.NONE;
        return new Hardware(
                gpu.map(it -> it.placement().toString()).orElse(""),
                gpu.isPresent() ? driverVersion() : "",
                processor(),
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().toString(),
                link.toDevice(),
                link.toHost(),
                link.both());
    }

    private static String driverVersion() {
        return output("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader")
                .lines()
                .findFirst()
                .orElse("unknown");
    }

    private static String processor() {
        try {
            List<String> lines = Files.readAllLines(Path.of("/proc/cpuinfo"));
            return lines.stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }

    /** What a command prints, or nothing where it cannot run. */
    static String output(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            String text =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0
                    ? text.strip()
                    : "";
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
